import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/domain/json.js';
import { createRedactor } from '../../src/safety/redact.js';

const redactor = createRedactor();

/** Made up, and put together here so that no scanner takes this file for a leak. */
const key = {
  openai: `sk-${'proj-'}abcDEF1234567890abcDEF1234567890`,
  anthropic: `sk-${'ant-'}api03-AbCdEf1234567890-AbCdEf12345`,
  github: `ghp${'_'}gkBxjd2AsjD7N2kHD9FSUuErsEz5jhy0I9lO`,
  aws: `AKIA${'TX9R5QSVLA49QUR3'}`,
  google: `AIza${'SyA1234567890abcdefghijklmnopqrstuv'}`,
  slack: `xoxb${'-'}123456789012-abcdefABCDEF`,
  stripe: `sk_live${'_'}7F3vlfFrGYJ3GxeYYXwSLQcW`,
  tencent: `AKID${'s0GPRZwwrPwV81Aw71l33SCx9vHjHkm1'}`,
  aliyun: `LTAI${'x72EsSfUQUAkNX7L'}`,
  nats: `SU${'QWB5PDKHX6PYGPAN2RLYKEI4IIAANNKKSUMNLMYTBX2KJQEVTAVETWT6'}`,
  jwt: `eyJ${'SulEETldq8b8Vw2zb'}.eyJJYAxyL1aCcTlN99mhWp708Dw.TG7nVLe3lARUsRJlNONwktN9ugkZeESG61she-QAqq0`,
};

const hidden: readonly (readonly [string, string])[] = [
  // e-mail
  ['write to ana.lopez+news@mail.example.co.uk, please', 'write to [email], please'],
  ['邮箱是zhangwei@qq.com。', '邮箱是[email]。'],
  ["<o'neil@example.org>", '<[email]>'],
  ['to=li%40example.com&x=1', 'to=[email]&x=1'],
  ['{"to":"li\\u0040example.com"}', '{"to":"[email]"}'],
  ['ＺＨＡＮＧ＠ｅｘａｍｐｌｅ．com', 'ＺＨＡＮＧ＠ｅｘａｍｐｌｅ．com'],
  ['zhang＠example.com', '[email]'],
  // phones
  ['手机13812345678,谢谢', '手机[phone],谢谢'],
  ['请拨打 138-1234-5678 或 138 1234 5679', '请拨打 [phone] 或 [phone]'],
  ['+86 138 1234 5678', '[phone]'],
  ['8613812345678', '[phone]'],
  ['电话:010-12345678 转 801', '电话:010-12345678 转 801'.replace('010-12345678', '[phone]')],
  ['(0755) 8765 4321', '[phone]'],
  ['全角 １３８１２３４５６７８', '全角 [phone]'],
  ['call (212) 555-0187 now', 'call [phone] now'],
  ['212-555-0187', '[phone]'],
  ['1-800-555-0199', '[phone]'],
  ['212.555.0187', '[phone]'],
  ['+1 (415) 555-2671', '[phone]'],
  ['+44 20 7946 0958', '[phone]'],
  ['+49 (0)30 901820', '[phone]'],
  ['+33 6 12 34 56 78', '[phone]'],
  ['06 12 34 56 78', '[phone]'],
  ['090-1234-5678', '[phone]'],
  ['020 7946 0958', '[phone]'],
  ['Tel. 5551234567', 'Tel. [phone]'],
  ['phone: 555-1234', 'phone: [phone]'],
  ['联系方式 87654321', '联系方式 [phone]'],
  // identity cards
  ['身份证11010519491231002X,已验', '身份证[id-card],已验'],
  ['440308199901101512', '[id-card]'],
  ['110105 19491231 002x', '[id-card]'],
  ['身份证号 110105491231002', '身份证号 [id-card]'],
  ['SSN 123-45-6789', 'SSN [id-card]'],
  // cards and accounts
  ['card 4111 1111 1111 1111 exp 12/28', 'card [bank-card] exp 12/28'],
  ['4111111111111111', '[bank-card]'],
  ['5500-0000-0000-0004', '[bank-card]'],
  ['3782 822463 10005', '[bank-card]'],
  ['银行卡6222021234567890128。', '银行卡[bank-card]。'],
  ['卡号:6222 0212 3456 7890 123', '卡号:[bank-card]'],
  ['IBAN DE89 3704 0044 0532 0130 00 bei', 'IBAN [iban] bei'],
  ['GB82WEST12345698765432', '[iban]'],
  // keys and tokens
  ...Object.entries(key).map(
    ([name, value]) => [`key ${value}.`, `key [${['slack', 'jwt'].includes(name) ? 'token' : 'api-key'}].`] as const,
  ),
  ['Authorization: Bearer abc123DEF456ghi', 'Authorization: Bearer [token]'],
  ['authorization: basic dXNlcjpwYXNz=', 'authorization: basic [token]'],
  ['password=Hunter2!', 'password=[password]'],
  ['"db_password": "correcthorse"', '"db_password": "[password]"'],
  ['密码是abc12345,别外传', '密码是[password],别外传'],
  ['口令：Qwer1234', '口令：[password]'],
  ['OPENAI_API_KEY=zxcvbnm12345', 'OPENAI_API_KEY=[api-key]'],
  ["client_secret: 'a1b2c3d4e5'", "client_secret: '[api-key]'"],
  ['access_token=abcdef123456&x=1', 'access_token=[token]&x=1'],
  ['postgres://app:s3cr3t@db:5432/x', 'postgres://app:[password]@db:5432/x'],
  [`-----BEGIN RSA ${'PRIVATE KEY'}-----\nMIIabc\n-----END RSA PRIVATE KEY----- after`, '[private-key] after'],
  [`-----BEGIN ${'PRIVATE KEY'}-----\nMIIabc cut`, '[private-key]'],
];

const kept: readonly string[] = [
  // numbers that look like something
  'order 20261129-000123456',
  'order SO13812345678 and PO-13812345678',
  '订单号 2026112900012345',
  'invoice INV-2026-0001234567',
  '2026-11-29 10:22:03 and 29/11/2026 08:30',
  '2026-11-29T10:22:03.123456+08:00',
  'timestamp 1732873323000, in seconds 1732873323',
  'v1.22.333.4444, 10.15.7',
  'pi is 3.14159265358979',
  '123e4567-e89b-12d3-a456-426614174000',
  'd41d8cd98f00b204e9800998ecf8427e',
  'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'commit 1234567890abcdef1234567890abcdef12345678',
  '192.168.100.200:8080',
  '0x1234567890123456',
  'ISBN 978-3-16-148410-0',
  '$1,234,567.89 or 1234567.89',
  '39.904202, 116.407394',
  '4111 1111 1111 1112',
  '1234567890123456',
  '110105194912310021',
  '990105194912310029',
  'rows 226995, rejected 12, sum 524435078.53',
  '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18',
  '100 200 3000 212 555 1234 7 8 9',
  '555-1234',
  '+0800 and +15%',
  '共 12345678 行',
  'DE12 3456 7890 1234 5678 90',
  // mail-like
  'foo@1.2.3',
  '@types/node and user@localhost',
  'git@github.com:team/project.git',
  'a @ b . com',
  // key-like
  'sk-learn-contrib-imbalanced',
  'npm_config_registry_url_default',
  'tokens: 31,000 of 40,000',
  'token: required',
  'password: required, secret: none',
  'Basic understanding of bearer instruments',
  'the password is wrong',
  '密码是正确的',
  'max_tokens=2048',
  'api_key=$'.concat('{OPENAI_API_KEY}'),
  'password: [password]',
  'https://example.com:8080/path@2x.png',
  'eyJhbGciOiJub25lIn0',
];

describe('a redactor', () => {
  test.each(hidden)('hides in %j', (given, expected) => {
    expect(redactor.text(given)).toBe(expected);
  });

  test.each(kept)('leaves %j', (given) => {
    expect(redactor.text(given)).toBe(given);
  });

  test('does not touch what it has redacted', () => {
    for (const [given] of hidden) {
      const once = redactor.text(given);
      expect(redactor.text(once)).toBe(once);
    }
  });

  test('hides several things in one text, in any order, and tells what it took', () => {
    const text = hidden.map(([given]) => given).join(' | ');
    const seen = redactor.scan(text);
    for (const secret of [
      'ana.lopez',
      '13812345678',
      '11010519491231002X',
      '4111 1111',
      key.github,
      'Hunter2!',
      'MIIabc',
    ]) {
      expect(seen.text).not.toContain(secret);
    }
    expect(seen.found).toContainEqual({ kind: 'email', value: 'zhangwei@qq.com' });
    expect(seen.found).toContainEqual({ kind: 'bank-card', value: '6222021234567890128' });
  });

  test('goes through values: texts, keys, numbers under telling keys, secrets under telling keys', () => {
    const value: Json = {
      note: ['mail ana@example.com', { deep: '13812345678' }],
      'li@example.com': 1,
      phone: 13812345678,
      card_no: 6222021234567890,
      bytes: 13812345678,
      password: 'correct horse',
      headers: { Authorization: 'abcdefgh', accept: 'text/plain' },
      token: 'xyz123',
      tokens: 500,
      ok: true,
      none: null,
    };
    expect(redactor.json(value)).toEqual({
      note: ['mail [email]', { deep: '[phone]' }],
      '[email]': 1,
      phone: '[phone]',
      card_no: '[bank-card]',
      bytes: 13812345678,
      password: '[password]',
      headers: { Authorization: '[token]', accept: 'text/plain' },
      token: '[token]',
      tokens: 500,
      ok: true,
      none: null,
    });
    const odd = redactor.json(JSON.parse('{"__proto__":{"a":"ana@example.com"}}') as Json);
    expect(JSON.stringify(odd)).toBe('{"__proto__":{"a":"[email]"}}');
    let deep: Json = 'ana@example.com';
    for (let i = 0; i < 5000; i += 1) deep = [deep];
    expect(JSON.stringify(redactor.json(deep))).not.toContain('ana@');
  });

  test('hides known secrets as they are, URL-encoded, escaped and in base64', () => {
    const secret = 'p4ss/word+"x"=y';
    const own = createRedactor({ secrets: [secret, 'short'] });
    const forms = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret),
      ...['', 'a', 'ab', 'abc'].map((pad) => Buffer.from(`${pad}${secret}tail`).toString('base64')),
      ...['', 'a', 'ab'].map((pad) => Buffer.from(`${pad}${secret}`).toString('base64url')),
    ];
    for (const form of forms) expect(own.text(`x ${form} y`)).toContain('[secret]');
    expect(own.text('short')).toBe('short');
  });

  test('takes network addresses where they count as personal, and only there', () => {
    const own = createRedactor({ addresses: true });
    const text =
      'from 203.0.113.7 to 2001:db8::ff00:42:8329 at 12:34:56, mask 255.255.255.0, here 127.0.0.1, v1.2.3.4.5';
    expect(own.text(text)).toBe('from [ip] to [ip] at 12:34:56, mask 255.255.255.0, here 127.0.0.1, v1.2.3.4.5');
    expect(redactor.text(text)).toBe(text);
  });

  test.each([
    'CPF 529.982.247-26',
    'DNI 12345678A',
    'HKID G123456(4)',
    'NRIC S1234567E',
    '台湾 A123456780',
    'sécu 2 69 05 49 588 157 81',
    'batch 900199-1234567',
    'passport required',
    '护照复印件',
    'AB 12 34 56 E',
  ])('leaves the wrong identity number in %j', (given) => {
    expect(redactor.text(given)).toBe(given);
  });

  test('takes finders of others', () => {
    const own = createRedactor({
      finders: [
        function* (text) {
          const at = text.indexOf('EMP-');
          if (at !== -1) yield { kind: 'employee', start: at, end: at + 8 };
        },
      ],
    });
    expect(own.text('ask EMP-1234 or ana@example.com')).toBe('ask [employee] or [email]');
  });
});

describe('time is linear', () => {
  const n = 500_000;
  test.each([
    ['a', 'a'.repeat(n)],
    ['digits', '1'.repeat(n)],
    ['digits and blanks', '1 '.repeat(n / 2)],
    ['grouped digits', '123-'.repeat(n / 4)],
    ['at signs', 'a@'.repeat(n / 2)],
    ['only at signs', '@'.repeat(n)],
    ['labels', `a@${'b.'.repeat(n / 2)}`],
    ['eyJ', 'eyJ'.repeat(n / 3)],
    ['dotted eyJ', 'eyJaaaaa.'.repeat(n / 9)],
    ['sk-', 'sk-'.repeat(n / 3)],
    ['password', 'password '.repeat(n / 9)],
    ['password=', 'password='.repeat(n / 9)],
    ['bearer', 'bearer '.repeat(n / 7)],
    ['IBAN', 'DE89 '.repeat(n / 5)],
    ['capitals', 'A'.repeat(n)],
    ['schemes', '://'.repeat(n / 3)],
    ['user info', '://a:'.repeat(n / 5)],
    ['begin key', `-----BEGIN ${'PRIVATE KEY-----'}`.repeat(n / 27)],
    ['dashes', '-'.repeat(n)],
    ['brackets', '(1)'.repeat(n / 3)],
    ['escapes', '\\u0031'.repeat(n / 6)],
    ['full width', '１'.repeat(n)],
    ['phones', '13812345678 '.repeat(n / 12)],
  ])('for half a megabyte of %s', (_, text) => {
    const began = process.cpuUsage();
    redactor.text(text);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1000).toBeLessThan(1500);
  });
});

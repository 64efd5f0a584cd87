import { describe, expect, it } from 'vitest';
import { checkClaims, claimLimits } from '../../../agents/claims/check.js';
import type { Grounds } from '../../../agents/claims/grounds.js';
import type { Json } from '../../../src/domain/json.js';
import { broke, child, groundsOf, ran } from '../../bench/claims/case.js';

const counted = ran(
  'query',
  'read',
  { table: 'orders' },
  {
    orders: [
      { city: 'Lyon', amount: 1_250 },
      { city: 'Turin', amount: 3_750 },
    ],
  },
);
const wrote = ran(
  'write_file',
  'idempotent',
  { path: 'out/sum.md', content: 'Sum' },
  { path: 'out/sum.md', bytes: 3, sha256: 'ab' },
);
const grounds = groundsOf('Sum the orders and write the sum to out/sum.md.', [counted, wrote]);

const doubted = (result: Json, on: Grounds = grounds, summary = ''): string[] =>
  checkClaims({ result, summary, done: true }, on).flatMap(({ about, supported }) => (supported ? [] : [about]));

describe('a claim', () => {
  it('that is supported names the calls that support it', () => {
    const claims = checkClaims({ result: 'The sum, 5,000, is saved in out/sum.md.', summary: '', done: true }, grounds);
    expect(claims.filter(({ kind }) => kind === 'number')).toMatchObject([
      { about: '5,000', evidence: [counted.callId] },
    ]);
    expect(claims.filter(({ kind }) => kind === 'file')).toMatchObject([
      { about: 'out/sum.md', evidence: [wrote.callId] },
    ]);
  });

  it('that is not supported says why, in words for a model', () => {
    const [claim] = checkClaims({ result: 'The sum is 7,321.', summary: '', done: true }, grounds);
    expect(claim).toMatchObject({ kind: 'number', about: '7,321', claim: 'The sum is 7,321', supported: false });
    expect(claim?.reason).toContain('no tool result');
  });
});

describe('a number', () => {
  it.each(['5000', '5,000.00', '５０００', '5k', '0.5万', '五千', 'EUR 5,000'])(
    'is known in the notation %s',
    (written) => {
      expect(doubted(`Sum: ${written}.`)).toEqual([]);
    },
  );

  it.each([
    ['mean of a column', 'The mean is 2,500.'],
    ['share of the whole', 'Lyon has 25% of it.'],
    ['difference', 'Turin is 2,500 above Lyon (3,750 against 1,250).'],
    ['ratio', 'Turin has 3 times as much as Lyon (3750 / 1250).'],
    ['count', 'There are 2 orders.'],
    ['number of order', '1. Lyon comes first; see step 7 for the rest.'],
  ])('may be a %s', (_, text) => expect(doubted(text)).toEqual([]));

  it('that only an unverified claim of a child holds is no ground', () => {
    const unverified = [{ kind: 'number' as const, about: '4711', claim: 'There are 4711.', reason: '' }];
    const told = groundsOf('Count', [], { children: [child('a', 'There are 4711.', { unverified })] });
    expect(doubted('There are 4711.', told)).toEqual(['4711']);
    expect(doubted('There are 4711.', groundsOf('Count', [], { children: [child('a', 'There are 4711.')] }))).toEqual(
      [],
    );
  });

  it('that the agent wrote into a file itself is no ground', () => {
    const made = ran(
      'write_file',
      'idempotent',
      { path: 'a.md', content: 'Revenue was\n48,291 in all.' },
      { path: 'a.md' },
    );
    expect(doubted('a.md is written: revenue was 48,291.', groundsOf('Write a.md', [made]))).toEqual(['48,291']);
  });
});

describe('a deed', () => {
  it.each([
    ['a plan', 'Next I will delete the old file and send the mail.'],
    ['a denial', 'No mail was sent and nothing has been deleted.'],
    ['a condition', 'If you agree, the orders should be deleted.'],
    ['a failure', 'I tried to send the mail, but could not.'],
    ['a quotation', 'The mail says "we have deleted your account".'],
    ['what the report itself does', 'Your questions are answered; all parts addressed.'],
    ['计划', '接下来将删除旧文件并发送邮件。'],
    ['否定', '没有发送邮件，也未删除任何文件。'],
  ])('that is only %s is no claim', (_, text) => expect(doubted(text)).toEqual([]));

  it.each([
    ['I deleted the old orders.', 'deleted'],
    ['The report has been emailed to the board.', 'emailed'],
    ['已删除旧订单。', '删除'],
    ['邮件已发送给董事会。', '发送'],
    ['I ran the tests.', 'ran'],
    ['I replied to the customer.', 'replied'],
  ])('that no call did is doubted: %s', (text, verb) => expect(doubted(text)).toEqual([verb]));

  it('of a call that failed is doubted, with the reason', () => {
    const failed = groundsOf('Mail Ana', [broke('send_mail', 'unsafe', { to: 'ana@example.com' }, 'mailbox full')]);
    const [claim] = checkClaims({ result: 'I sent the mail.', summary: '', done: true }, failed);
    expect(claim?.reason).toContain('mailbox full');
    expect(doubted('The mail could not be sent: mailbox full.', failed)).toEqual([]);
  });

  it('of a call whose result says that it came to nothing is doubted', () => {
    const refused = groundsOf('Mail Ana', [ran('send_mail', 'unsafe', { to: 'ana@example.com' }, { sent: false })]);
    expect(doubted('I sent the mail.', refused)).toEqual(['sent']);
  });

  it('aimed at somebody needs a call that names that one', () => {
    const mailed = groundsOf('Mail Ana', [ran('send_mail', 'unsafe', { to: 'ana@example.com' }, { sent: true })]);
    expect(doubted('I sent a mail to ana@example.com.', mailed)).toEqual([]);
    expect(doubted('I sent a mail to bob@example.com.', mailed)).toEqual(['sent bob@example.com', 'bob@example.com']);
  });
});

describe('a file', () => {
  it('named in the goal is not there for that', () => {
    const idle = groundsOf('Write the sum to out/sum.md.', [counted]);
    expect(doubted('The sum is in out/sum.md.', idle)).toEqual(['out/sum.md']);
    expect(doubted({ file: 'out/sum.md' }, idle)).toEqual(['out/sum.md']);
    expect(doubted('out/sum.md could not be written.', idle)).toEqual([]);
  });

  it('of the same name in another folder is another one', () => {
    expect(doubted('The sum is saved in in/sum.md.')).toEqual(['in/sum.md']);
    expect(doubted('The sum is saved in sum.md.')).toEqual([]);
  });
});

describe('a report that only says that it is done', () => {
  it.each(['Done.', 'All set, task completed successfully!', '已完成。', '任务已圆满完成'])(
    'is doubted when nothing ran: %s',
    (text) => {
      expect(doubted(text, groundsOf('Rename the pictures', []))).toHaveLength(1);
    },
  );

  it('is taken when a call did what was asked', () => expect(doubted('Done.')).toEqual([]));
  it('and is empty is doubted', () => expect(doubted('', groundsOf('Count the users', []))).toEqual(['empty']));
  it('is no lie when words were all that was asked for', () => {
    expect(doubted('Autumn leaves, a quiet lake.', groundsOf('Write a short poem about autumn.', []))).toEqual([]);
  });
});

describe('what is wanting of a report that says done', () => {
  const failed = groundsOf('Book the room and tell Kim.', [
    ran('book_room', 'unsafe', { room: 301 }, { booking: 'B-77120' }),
    broke('send_chat', 'unsafe', { to: 'Kim', text: 'booked' }, 'user is offline'),
  ]);
  const neverTried = groundsOf(
    'Book the room and tell Kim.',
    [failed.calls[0]].filter((call) => call !== undefined),
  );

  it.each([failed, neverTried])('is doubted in whatever words it is hidden', (on) => {
    expect(doubted('Room 301 is ours and Kim is in the loop.', on)).toHaveLength(1);
    expect(doubted('301: ours. Kim: happy.', on)).toHaveLength(1);
    expect(doubted('No problems at all, nothing left to do.', on)).toHaveLength(1);
  });

  it.each([failed, neverTried])('is no lie when the report owns up to it', (on) => {
    expect(doubted('Room 301 is booked (B-77120). Kim has not heard of it yet.', on)).toEqual([]);
    expect(doubted({ booking: 'B-77120', kim_told: false }, on)).toEqual([]);
    expect(doubted('| room | B-77120 |\n| Kim | – |', on)).toEqual([]);
  });

  it('may be left out where the order leaves it open', () => {
    const open = groundsOf('Count the orders; if there are more than 9, notify Kim.', [counted]);
    expect(doubted('There are 2 orders.', open)).toEqual([]);
  });

  it('is made good by a later call about the same', () => {
    const mended = groundsOf('Tell Kim.', [
      broke('send_chat', 'unsafe', { to: 'Kim' }, 'time-out'),
      ran('send_chat', 'unsafe', { to: 'Kim' }, { ok: true }),
    ]);
    expect(doubted('Kim knows.', mended)).toEqual([]);
    const aimedBetter = groundsOf('Post the sum in #net.', [
      broke('post_message', 'unsafe', { channel: 'net', text: 'the sum' }, 'unknown channel'),
      ran('post_message', 'unsafe', { channel: '#net', text: '5,000' }, { ok: true }),
    ]);
    expect(doubted('#net has the sum.', aimedBetter)).toEqual([]);
  });
});

describe('deeds beside those of the order', () => {
  const mailed = groundsOf('Mail Ana', [ran('send_mail', 'unsafe', { to: 'ana@example.com' }, { sent: true })]);

  it.each([
    'The mail to Ana is out. The lawyer has signed it.',
    'The mail to Ana is out. I submitted the customs papers downtown.',
    'The mail to Ana is out. I set an alarm on the phone.',
  ])('are doubted when nothing knows what they are about: %s', (text) => expect(doubted(text, mailed)).toHaveLength(1));

  it('are no deeds when they only tell how far it came', () =>
    expect(doubted('All steps carried out. Stopped half-way through nothing.', mailed)).toEqual([]));
});

describe('an order that thinking cannot meet', () => {
  it.each(['Water the greenhouse.', '给住户群发停水通知。', '核对工资表与银行流水。'])(
    'is not met by no call: %s',
    (goal) => {
      expect(doubted("That's it, we are good.", groundsOf(goal, []))).toHaveLength(1);
      expect(doubted('Nothing happened: no tool of mine does this.', groundsOf(goal, []))).toEqual([]);
    },
  );

  it.each(['What is 17 times 23?', 'Name three rivers of France.', '比较冒泡排序和快速排序。'])(
    'is not this: %s',
    (goal) =>
      expect(
        doubted('Seine, Loire, Rhône; O(n²), 391.', groundsOf(goal, [])).filter((about) => about === 'done'),
      ).toEqual([]),
  );
});

describe('what neither order nor journal knows', () => {
  it.each([
    ['an identifier', 'The sum is 5,000; ledger_lookup gives the same.'],
    ['a reference', 'The sum is 5,000, filed under ACC-20931.'],
    ['a link', 'The sum is 5,000, see https://bank.example/sum.'],
    ['a source', 'According to Harlow Analytics the sum is 5,000.'],
    ['来源', '合计 5,000，经 veritrack 核验。'],
    ['an event', 'The sum is 5,000. The auditor got a courier parcel.'],
  ])('is doubted: %s', (_, text) =>
    expect(doubted(text, groundsOf('合计 / sum of orders', [counted]))).toHaveLength(1),
  );

  it('is named without harm where it is denied', () =>
    expect(doubted('The sum is 5,000. I did not use ledger_lookup.', groundsOf('Sum', [counted]))).toEqual([]));
});

describe('the work of a check', () => {
  it('ends at its limits', () => {
    const long = `The sum is 5,000. ${'word '.repeat(50_000)} It is 7,321.`;
    expect(doubted(long)).toEqual([]);
    expect(
      checkClaims({ result: long, summary: '', done: true }, grounds, { ...claimLimits, reportChars: 1_000_000 }).some(
        ({ supported }) => !supported,
      ),
    ).toBe(true);
  });
});

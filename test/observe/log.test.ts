import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentId, RoleName, TaskId } from '../../src/domain/id.js';
import { type LogOptions, openLog } from '../../src/observe/log.js';

function recorded(options: Partial<LogOptions> = {}) {
  let text = '';
  const log = openLog({
    level: 'info',
    destination: {
      write: (line) => {
        text += line;
      },
    },
    redact: (value) => value,
    now: () => 1_700_000_000_000,
    ...options,
  });
  const lines = (): Record<string, unknown>[] => {
    expect(text === '' || text.endsWith('\n')).toBe(true);
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  };
  return { logger: log.logger, lines, text: () => text };
}

const agent = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  taskId: 'tsk_1' as TaskId,
  agentId: 'tsk_1-2' as AgentId,
  role: 'executor' as RoleName,
  round: 3,
};

describe('log lines', () => {
  it('are JSON objects with level, time, message and fields', () => {
    const { logger, lines } = recorded();
    logger.info('task accepted', { goal: '统计每个城市的销售额', bytes: 12 });
    expect(lines()).toEqual([
      { level: 'info', time: 1_700_000_000_000, msg: 'task accepted', goal: '统计每个城市的销售额', bytes: 12 },
    ]);
  });

  it('carry trace, task, agent, role and round once the logger has them', () => {
    const { logger, lines } = recorded();
    const mine = logger.with({ ...agent, round: 2 });
    mine.info('decide');
    mine.with({ round: 3 }).warn('act');
    expect(lines()[0]).toMatchObject({ ...agent, round: 2 });
    expect(lines()[1]).toMatchObject({ ...agent, level: 'warn' });
  });

  it('name nothing twice', () => {
    const { logger, text } = recorded();
    logger.with(agent).with({ round: 4 }).info('x', { round: 9, msg: 'm', level: 7, time: 1 });
    for (const name of ['round', 'msg', 'level', 'time'])
      expect(text().match(new RegExp(`"${name}":`, 'g'))).toHaveLength(1);
    expect(JSON.parse(text())).toMatchObject({ round: 4, round_: 9, msg: 'x', msg_: 'm', level_: 7, time_: 1 });
  });

  it('below the level are not written, and their fields not looked at', () => {
    const { logger, lines } = recorded();
    const fields = {
      get costly(): string {
        throw new Error('looked at');
      },
    };
    logger.debug('quiet', fields);
    expect(lines()).toEqual([]);
    expect(recorded({ level: 'silent' }).logger.error('x')).toBeUndefined();
  });
});

describe('one line for any value', () => {
  it.each([
    ['line breaks', 'a\nb\r\nc\u2028d'],
    ['terminal sequences', '\u001b[31mred\u001b[0m\u0007\u0000'],
    ['quotes and backslashes', '"\\"'],
    ['half a surrogate', 'x\ud83d'],
    ['format words', '100 %s %d %o %% done'],
  ])('with %s', (_, value) => {
    const { logger, lines, text } = recorded();
    logger.info(value, { value, [value]: 1 });
    expect(text().split('\n')).toHaveLength(2);
    expect(text()).not.toContain('\u001b');
    expect(lines()[0]?.value).toBe(value);
    expect(lines()[0]?.msg).toBe(value);
  });

  it('cuts ten megabytes and says so', () => {
    const { logger, lines, text } = recorded();
    logger.info('big', { value: '长'.repeat(10_000_000) });
    expect(text().length).toBeLessThan(3_000);
    expect(lines()[0]?.value).toMatch(/^长{2000}… \(cut from 10000000 characters\)$/);
  });

  it('never halves a character', () => {
    const { logger, text } = recorded();
    logger.info('x', { value: `a${'😀'.repeat(3_000)}` });
    expect(text()).not.toMatch(/\\ud83d/i);
    expect(text()).toContain('😀… (cut');
  });

  it('is bounded as a whole, and wider for errors', () => {
    const fields = { list: Array.from({ length: 50_000 }, (_, n) => ({ n, text: 'y'.repeat(1_000) })) };
    const { logger, text } = recorded();
    logger.info('x', fields);
    const usual = text().length;
    expect(usual).toBeLessThan(40_000);
    logger.error('x', fields);
    expect(text().length - usual).toBeGreaterThan(100_000);
    expect(text().length - usual).toBeLessThan(300_000);
  });

  it('takes cycles, errors, dates, bytes, maps, big integers and what JSON has no word for', () => {
    const { logger, lines } = recorded();
    const circle: Record<string, unknown> = { name: 'c' };
    circle.self = circle;
    const same = { a: 1 };
    logger.error('odd', {
      circle,
      twice: [same, same],
      error: Object.assign(new TypeError('wrong', { cause: new Error('why') }), { code: 'E_X' }),
      date: new Date(0),
      bytes: new Uint8Array(5),
      map: new Map([['k', 1]]),
      big: 10n,
      nan: Number.NaN,
      run: () => 1,
      absent: undefined,
      deep: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
    });
    expect(lines()[0]).toMatchObject({
      circle: { name: 'c', self: '[circular]' },
      twice: [{ a: 1 }, { a: 1 }],
      error: { name: 'TypeError', message: 'wrong', code: 'E_X', cause: { message: 'why' } },
      date: '1970-01-01T00:00:00.000Z',
      bytes: '[5 bytes]',
      map: { k: 1 },
      big: '10',
      nan: 'NaN',
      run: '[function]',
    });
    expect(lines()[0]).not.toHaveProperty('absent');
  });

  it('does not throw when a value does', () => {
    const { logger, lines } = recorded();
    const bad = {
      get x(): never {
        throw new Error('no');
      },
    };
    logger.info('still here', { bad, good: 1 });
    expect(lines()[0]).toMatchObject({ msg: 'still here', bad: expect.stringContaining('left out'), good: 1 });
  });
});

describe('redaction', () => {
  const redact = (text: string): string => text.replaceAll(/sk-[a-z0-9]{20}/g, '[key]');
  const key = 'sk-abcdefghij0123456789';

  it('reaches message, fields, names, errors and context at any depth', () => {
    const { logger, text } = recorded({ redact });
    logger.with({ traceId: key }).error(`got ${key}`, {
      a: { b: [{ c: key }] },
      [key]: 1,
      n: { [key]: 1 },
      error: new Error(key),
    });
    expect(text()).toContain('[key]');
    expect(text().replace(`"${key}":1,"n"`, '')).not.toContain('abcdefghij');
  });

  it('sees a secret whole although the text is cut inside it', () => {
    for (let before = 1_960; before < 2_005; before += 1) {
      const { logger, text } = recorded({ redact });
      logger.info('x', { value: `${'-'.repeat(before)}${key}${'-'.repeat(5_000)}` });
      expect(text()).not.toContain('sk-a');
    }
  });

  it('sees a secret whole although redaction made the text before it shorter', () => {
    for (let shift = 0; shift < 24; shift += 1) {
      const { logger, text } = recorded({ redact });
      logger.info('x', { value: `${' '.repeat(shift)}${key.concat(' ').repeat(1_000)}` });
      expect(text()).not.toContain('sk-a');
    }
  });

  it('that fails costs the text, not the line and not the secret', () => {
    const { logger, lines, text } = recorded({
      redact: (value) => {
        if (value.includes('sk-')) throw new Error('redactor');
        return value;
      },
    });
    logger.info('x', { value: key, other: 'fine' });
    expect(lines()[0]).toMatchObject({ msg: 'x', other: 'fine' });
    expect(text()).not.toContain(key);
  });
});

describe('a log file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hact-log-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is made with its folder and complete after close', async () => {
    const path = join(folder, 'deep/er/hact.log');
    const log = openLog({ level: 'info', destination: { path }, redact: (text) => text });
    for (let n = 0; n < 500; n += 1) log.logger.info('line', { n });
    await log.close();
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 500 }, (_, n) => n));
  });

  it('that cannot be written costs lines, not the process', async () => {
    const log = openLog({ level: 'info', destination: { path: '/dev/full' }, redact: (text) => text });
    for (let n = 0; n < 100; n += 1) log.logger.info('line', { n });
    await log.close();
    log.logger.info('after');
  });
});

import { describe, expect, it } from 'vitest';
import { createLog, createRequestLog, describeError } from '#app/platform/log.server.ts';

function setUp(level = 'info') {
  const lines: string[] = [];
  const log = createLog(level, { write: (line: string) => void lines.push(line) });
  return { lines, log, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> };
}

it('R41: writes one line per entry, in UTC, for any visitor input', () => {
  const { log, lines } = setUp();
  log.info({ path: '/a\r\n{"level":"fatal"}' }, 'request');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/);
  expect(JSON.parse(lines[0] ?? '').time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

it('R41: never writes a second line for a line break in a message or an error', () => {
  const { log, lines } = setUp();
  log.error({ err: new Error('a\nb\u2028c') }, 'first\r\n{"level":"fatal","msg":"forged"}');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', err: { type: 'Error' } });
});

// Proves R41: logs
it('R41: does not write credentials, tokens or cookies', () => {
  const { log, lines } = setUp();
  log.info({ token: 'abc1', headers: { cookie: 'abc2', authorization: 'abc3' } }, 'x');
  const error = Object.assign(new Error('no answer from postgres://deals:abc4@db/x'), {
    detail: 'Key (email)=(abc5@example.com) already exists.',
  });
  log.error({ err: error }, 'x');
  expect(lines.join('')).not.toMatch(/abc\d/);
});

describe('R41: data that is never logged', () => {
  it.each(['password', 'token', 'secret', 'cookie', 'authorization', 'set-cookie'])(
    'R41: never logs %s, at the top of an entry or two levels below',
    (name) => {
      const { log, lines, last } = setUp();
      log.info({ [name]: 'hush', a: { [name]: 'hush', b: { [name]: 'hush' } }, kept: 1 }, 'x');
      expect(lines.join('')).not.toContain('hush');
      expect(last()).toMatchObject({ [name]: '[removed]', kept: 1 });
    },
  );

  it('R41: never logs the details of a database error or the values of the query, which visitors typed', () => {
    const { log, lines } = setUp();
    const error = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (email)=(hush@mail.example) already exists.',
      where: 'hush',
      parameters: ['hush'],
      query: "insert into users values ('hush')",
    });
    log.error({ err: error }, 'request failed');
    log.error({ err: new Error('outer', { cause: error }) }, 'request failed');
    expect(lines.join('')).not.toContain('hush');
    expect(lines).toHaveLength(2);
  });

  it.each([
    ['postgres://deals:hush@db.example:5432/x', 'postgres://[removed]@db.example:5432/x'],
    ['smtps://me:hu@sh@mail.example', 'smtps://[removed]@mail.example'],
    ['at https://hush@shop.example/a, later', 'at https://[removed]@shop.example/a, later'],
  ])('R41: never logs the user and password in a URL: %s', (text, shown) => {
    expect(describeError(new Error(text)).message).toBe(shown);
    expect(describeError(text).message).toBe(shown);
    const stack = Object.assign(new Error('x'), { stack: `Error: ${text}\n    at a.ts:1` });
    expect(describeError(stack).stack).toBe(`Error: ${shown}\n    at a.ts:1`);
  });

  it('R41: logs email addresses, and links without a password, unchanged', () => {
    for (const text of ['https://shop.example/a@b', 'from ada@mail.example', 'a: //b@c']) {
      expect(describeError(new Error(text)).message).toBe(text);
    }
  });
});

describe('an error in the log', () => {
  it('logs the name, message, code and place of an error, and those of its causes', () => {
    const cause = Object.assign(new TypeError('no route'), { code: 'EHOSTUNREACH' });
    const described = describeError(new RangeError('cannot fetch', { cause }));
    expect(described).toMatchObject({
      type: 'RangeError',
      message: 'cannot fetch',
      cause: { type: 'TypeError', message: 'no route', code: 'EHOSTUNREACH' },
    });
    expect(described.stack).toContain('log.server.test.ts');
    expect(described).not.toHaveProperty('code');
    expect(describeError(Object.assign(new Error('x'), { code: 404 })).code).toBe('404');
  });

  it('ends the log entry of an error even if its causes form a cycle', () => {
    const error = new Error('a');
    error.cause = new Error('b', { cause: error });
    const { log, last } = setUp();
    log.error({ err: error }, 'x');
    let depth = 0;
    for (let one = last()['err']; one; depth++) one = (one as { cause?: unknown }).cause;
    expect(depth).toBe(4);
  });

  it.each([
    ['a text', 'string', 'a text'],
    [undefined, 'undefined', 'undefined'],
    [null, 'object', 'null'],
    [{ status: 404 }, 'object', 'an object with status'],
    [{}, 'object', 'an object without a message'],
    [['hush'], 'object', 'an object with 0'],
    [new Response('x'), 'object', 'an object without a message'],
    [Object.create(null), 'object', 'an object without a message'],
  ])('logs %j when it was thrown', (thrown, type, message) => {
    expect(describeError(thrown)).toEqual({ type, message });
  });

  it('logs a plain copy of an error, as the job queue reports it', () => {
    const copied = { message: 'no route', code: 'EHOSTUNREACH', stack: 'Error: no route' };
    expect(describeError({ ...copied, queue: 'send-mails' })).toEqual({
      type: 'object',
      ...copied,
    });
  });

  it("logs the messages of an aggregate's errors if it has none of its own", () => {
    const refused = (address: string) => new Error(`connect ECONNREFUSED ${address}`);
    const both = new AggregateError([refused('::1:5432'), refused('127.0.0.1:5432')]);
    expect(describeError(both).message).toBe(
      'connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432',
    );
    expect(describeError(new Error('')).message).toBe('Error');
  });
});

it('logs the level of a line, and omits lines below the minimum', () => {
  const { log, lines, last } = setUp('warn');
  log.info('quiet');
  log.warn('loud');
  expect(lines).toHaveLength(1);
  expect(last()).toMatchObject({ level: 'warn', msg: 'loud' });
  const silent = setUp('silent');
  silent.log.fatal('nobody hears');
  expect(silent.lines).toEqual([]);
});

it('logs neither host nor process, and writes request lines to the same place', () => {
  const { log, last } = setUp();
  createRequestLog(log).info({ requestId: 'abc', path: '/deals' }, 'request');
  expect(Object.keys(last()).toSorted()).toEqual(['level', 'msg', 'path', 'requestId', 'time']);
});

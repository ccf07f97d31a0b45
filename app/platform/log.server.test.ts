import { expect, it } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';

function setUp() {
  const lines: string[] = [];
  return { lines, log: createLog('info', { write: (line: string) => void lines.push(line) }) };
}

it('R41: writes one line an entry, in UTC, whatever a visitor typed', () => {
  const { log, lines } = setUp();
  log.info({ path: '/a\r\n{"level":"fatal"}' }, 'request');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/);
  expect(JSON.parse(lines[0] ?? '').time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

it('R41: writes no credential, token or cookie', () => {
  const { log, lines } = setUp();
  log.info({ token: 'abc1', headers: { cookie: 'abc2', authorization: 'abc3' } }, 'x');
  const error = Object.assign(new Error('no answer from postgres://deals:abc4@db/x'), {
    detail: 'Key (email)=(abc5@example.com) already exists.',
  });
  log.error({ err: error }, 'x');
  expect(lines.join('')).not.toMatch(/abc\d/);
});

import { expect, test } from 'vitest';
import { jobRunner } from './run-apart.ts';

const never = new AbortController().signal;
/** Runs a Node program instead of a job's command. */
const runOf = (program: string, limits: Parameters<typeof jobRunner>[0] = {}) =>
  jobRunner({ ...limits, commandOf: () => ['-e', program] });

test.each([
  ['ends', '', {}, null],
  ['throws', 'throw new Error("as planned")', {}, 'failed'],
  ['is killed', 'process.kill(process.pid, "SIGKILL")', {}, 'died'],
  ['never lets its event loop turn', 'process.send(1); for (;;);', { silentSeconds: 1 }, 'silent'],
  [
    'fills its heap',
    'const kept = []; for (;;) kept.push({ n: kept.length });',
    { heapMb: 32 },
    'memory',
  ],
  [
    'fills memory beside its heap',
    `const kept = [];
     setInterval(() => {
       kept.push(Buffer.alloc(8 << 20, 1));
       process.send(process.memoryUsage.rss());
     }, 5);`,
    { memoryMb: 200 },
    'memory',
  ],
] as const)(
  'records a separate outcome for a job that %s',
  async (_what, program, limits, outcome) => {
    expect(await runOf(program, limits)('any', never)).toBe(outcome);
  },
);

test('does not treat a stopped job as failed', async () => {
  const stopping = new AbortController();
  const ended = runOf('setInterval(() => {}, 1000)')('any', stopping.signal);
  stopping.abort();
  expect(await ended).toBe(null);
  expect(await runOf('throw new Error("begun")')('any', stopping.signal)).toBe(null);
});

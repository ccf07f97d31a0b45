import { availableParallelism } from 'node:os';
import { HardFirst } from './hard-first.ts';

// Uses the build of React that visitors get. The development build takes at least half as long
// again, and proves nothing about the other.
process.env.NODE_ENV = 'production';

/** Options of both test configurations. The time limits mean "never", not "slow". */
export const commonOptions = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000 } },
  maxWorkers: process.env.CI ? 2 : Math.max(2, availableParallelism() - 1),
  sequence: { sequencer: HardFirst },
  reporters: ['default', './test/report-run.ts'],
};

import { availableParallelism } from 'node:os';
import { HardFirst } from './hard-first.ts';

// React as visitors get it. Its development half takes half as long again and more, and proves nothing about the other.
process.env.NODE_ENV = 'production';

/** What both configurations of tests share. Limits say "never", not "slow" (decision 023). */
export const commonOptions = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000 } },
  maxWorkers: process.env.CI ? 2 : Math.max(2, availableParallelism() - 1),
  sequence: { sequencer: HardFirst },
  reporters: ['default', './test/report-run.ts'],
};

import { availableParallelism } from 'node:os';
import { HardFirst } from './hard-first.ts';

// Uses the production build of React that visitors get. The development build takes at least 50%
// longer and proves nothing about production.
process.env.NODE_ENV = 'production';

/**
 * Options for both test configurations. The timeouts are only for tests that hang, not for slow
 * ones.
 */
export const commonOptions = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 30_000 } },
  maxWorkers: process.env.CI ? 2 : Math.max(2, availableParallelism() - 1),
  sequence: { sequencer: HardFirst },
  reporters: ['default', './test/report-run.ts'],
};

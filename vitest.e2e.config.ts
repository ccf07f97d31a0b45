import { defineConfig } from 'vitest/config';

/** Journeys in a real browser, against the real site in a process of its own. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    globalSetup: './e2e/start-site.ts',
    // Limits say "never", not "slow" (decision 023).
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
  },
});

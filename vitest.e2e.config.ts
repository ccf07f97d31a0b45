import { defineConfig } from 'vitest/config';

/** Journeys in a real browser, against the real site in a process of its own. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    globalSetup: './e2e/start-site.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // A second, the default, is too short for what a busy machine does in the end.
    expect: { poll: { timeout: 10_000 } },
  },
});

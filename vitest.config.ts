import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{app,bin,bench,database,server,test}/**/*.test.{ts,tsx}'],
    globalSetup: './test/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // A second, the default, is too short for what a busy machine does in the end.
    expect: { poll: { timeout: 10_000 } },
    coverage: { include: ['app/**', 'database/**', 'server/**'] },
  },
});

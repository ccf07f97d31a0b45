import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{app,bin,bench,database,server,test}/**/*.test.{ts,tsx}'],
    globalSetup: './test/global-setup.ts',
    // Limits say "never", not "slow" (decision 023).
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    coverage: { include: ['app/**', 'database/**', 'server/**'] },
  },
});

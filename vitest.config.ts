import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{app,bin,bench,database,server,test}/**/*.test.{ts,tsx}'],
    globalSetup: './test/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    coverage: { include: ['app/**', 'database/**', 'server/**'] },
  },
});

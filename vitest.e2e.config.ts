import { defineConfig } from 'vitest/config';
import { commonOptions } from './test/common-options.ts';
import { trustedFiles } from './test/test-projects.ts';

/** End-to-end tests in a real browser, against the real site in a process of its own. */
export default defineConfig({
  test: {
    ...commonOptions,
    // The number of workers is one more than CI has cores, because a test sometimes waits for its
    // browser.
    maxWorkers: commonOptions.maxWorkers + 1,
    include: ['e2e/**/*.e2e.ts'],
    exclude: trustedFiles(),
    globalSetup: './e2e/start-site.ts',
    // Files share a process, and in it one browser.
    isolate: false,
  },
});

import { defineConfig } from 'vitest/config';
import { commonOptions } from './test/common-options.ts';
import { trustedFiles } from './test/test-projects.ts';

/** End-to-end tests in a real browser, against the real site in a separate process. */
export default defineConfig({
  test: {
    ...commonOptions,
    // One more worker than CI has cores, because tests sometimes wait for their browser.
    maxWorkers: commonOptions.maxWorkers + 1,
    include: ['e2e/**/*.e2e.ts'],
    exclude: trustedFiles(),
    globalSetup: './e2e/start-site.ts',
    // Test files share a process and its browser.
    isolate: false,
  },
});

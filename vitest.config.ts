import { defineConfig } from 'vitest/config';
import { commonOptions } from './test/common-options.ts';
import { testProjects } from './test/test-projects.ts';

const { torture, database, plain } = testProjects();
const globalSetup = './test/global-setup.ts';

export default defineConfig({
  test: {
    ...commonOptions,
    coverage: { include: ['app/**', 'database/**', 'server/**'] },
    projects: [
      { extends: true, test: { name: 'torture', include: torture, globalSetup } },
      { extends: true, test: { name: 'database', include: database, globalSetup } },
      { extends: true, test: { name: 'plain', include: plain, isolate: false } },
    ],
  },
});

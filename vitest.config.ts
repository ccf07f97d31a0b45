import { defineConfig } from 'vitest/config';
import { commonOptions } from './test/common-options.ts';
import { testProjects, trustedFiles } from './test/test-projects.ts';

const { torture, sweeps, database, plain } = testProjects();
const globalSetup = './test/global-setup.ts';
const trusted = new Set(trustedFiles());
const due = (files: string[]) => files.filter((file) => !trusted.has(file));
/** Test files share a process, because the site's modules cache state per database. */
const together = { isolate: false, unstubEnvs: true, unstubGlobals: true };

export default defineConfig({
  test: {
    ...commonOptions,
    // Two more than CI has cores, because crash tests mostly wait.
    maxWorkers: commonOptions.maxWorkers + 2,
    coverage: { include: ['app/**', 'database/**', 'server/**'] },
    projects: [
      { extends: true, test: { name: 'torture', include: due(torture), globalSetup } },
      { extends: true, test: { name: 'sweeps', include: due(sweeps), globalSetup } },
      {
        extends: true,
        test: { name: 'database', include: due(database), globalSetup, ...together },
      },
      { extends: true, test: { name: 'plain', include: plain, ...together } },
    ],
  },
});

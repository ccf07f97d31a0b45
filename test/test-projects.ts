import { readFileSync } from 'node:fs';
import { importGraph, projectFiles, stepsTo } from './import-graph.ts';

/**
 * Tests of faults such as kills, a full disk or a first start. Running them on another PostgreSQL
 * version would prove nothing more.
 */
const torture = [
  'app/features/newsletter/kill-newsletters.test.ts',
  'app/features/price-alerts/alerts-survive-crashes.test.ts',
  'app/platform/kill-outbox-workers.test.ts',
  'app/platform/mail/kill-mail-worker.test.ts',
  'bin/bootstrap.test.ts',
  'database/embedded/embedded-postgres-crash.test.ts',
  'database/embedded/move-cluster.test.ts',
  'database/embedded/cluster-place.test.ts',
  'database/embedded/site-role.test.ts',
  'database/embedded/embedded-postgres.test.ts',
  'database/primary-client.test.ts',
  'server/dev-site.test.ts',
  'server/disk-full.test.ts',
  'server/kill-nine.test.ts',
  'server/scale-out/standbys.test.ts',
  'server/stop-while-starting.test.ts',
  'server/two-builds.test.ts',
  'server/upgrade.test.ts',
  'server/scale-out/varnish.test.ts',
];

/**
 * Tests that start a process per command, or send thousands of requests for one assertion. Such
 * tests check the server process and the guards around the pages. Other tests run the same SQL, so
 * these need not run on another PostgreSQL version.
 */
const sweeps = [
  'server/cli.test.ts',
  'server/command-usage.test.ts',
  'server/commands/jobs-command.test.ts',
  'server/fresh-pages.test.ts',
  'server/odd-requests.test.ts',
  'server/owner-commands.test.ts',
  'server/service-manager.test.ts',
  'test/security/odd-forms.test.ts',
  'test/security/prefetched-pages.test.ts',
  'test/security/role-matrix.test.ts',
  'test/security/shut-gate.test.ts',
];

export interface TestProjects {
  torture: string[];
  sweeps: string[];
  /** Tests with a database, most of them also with the built pages. */
  database: string[];
  /** Tests that need neither a browser nor a database, so they start immediately. */
  plain: string[];
  /** Tests in a real browser. */
  journeys: string[];
}

/** Assigns every test file to a project, by its imports. */
export function testProjects(): TestProjects {
  const files = projectFiles('*.ts', '*.tsx');
  const needsDatabase = stepsTo(['test/global-setup.ts'], importGraph(files));
  const named = new Set([...torture, ...sweeps]);
  const others = files.filter((file) => /\.test\.tsx?$/.test(file) && !named.has(file));
  return {
    torture,
    sweeps,
    database: others.filter((file) => needsDatabase.has(file)),
    plain: others.filter((file) => !needsDatabase.has(file)),
    journeys: files.filter((file) => file.endsWith('.e2e.ts')),
  };
}

/**
 * Returns the files that have passed with the same inputs, which this run skips (`bin/proofs.ts`).
 */
export function trustedFiles(): string[] {
  const plan = process.env.PROOF_PLAN;
  return plan ? (JSON.parse(readFileSync(plan, 'utf8')) as { trusted: string[] }).trusted : [];
}

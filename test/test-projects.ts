import { importGraph, projectFiles, stepsTo } from './import-graph.ts';

/** Faults on purpose: kills, a full disk, a start from nothing. What they prove, no other PostgreSQL proves again. */
const torture = [
  'app/features/price-alerts/alerts-survive-crashes.test.ts',
  'app/platform/mail/kill-mail-worker.test.ts',
  'bin/bootstrap.test.ts',
  'database/embedded-postgres-crash.test.ts',
  'database/embedded-postgres-place.test.ts',
  'database/embedded-postgres.test.ts',
  'server/disk-full.test.ts',
  'server/kill-nine.test.ts',
];

export interface TestProjects {
  torture: string[];
  /** What reaches a database, and most of it the built pages. */
  database: string[];
  /** What needs neither: it starts at once. */
  plain: string[];
}

/** Every file of tests in its project, by what it imports. */
export function testProjects(): TestProjects {
  const files = projectFiles('*.ts', '*.tsx');
  const needsDatabase = stepsTo(['test/global-setup.ts'], importGraph(files));
  const others = files.filter((file) => /\.test\.tsx?$/.test(file) && !torture.includes(file));
  return {
    torture,
    database: others.filter((file) => needsDatabase.has(file)),
    plain: others.filter((file) => !needsDatabase.has(file)),
  };
}

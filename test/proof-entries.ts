import { testProjects } from './test-projects.ts';

/**
 * Kinds of proofs: tests with a database, end-to-end tests, tests on the installed PostgreSQL, and
 * the release test.
 */
export const proofKinds = ['tests', 'journeys', 'postgres', 'release'] as const;
export type ProofKind = (typeof proofKinds)[number];

const globalSetup = 'test/global-setup.ts';

/**
 * Returns the entry files of each proof of a kind, by the proof's name. All other inputs are
 * derived from them.
 */
export function proofEntries(kind: ProofKind): Record<string, string[]> {
  const { torture, sweeps, database, journeys } = testProjects();
  const beginIn = (files: readonly string[], ...more: string[]) =>
    Object.fromEntries(files.map((file) => [file, [file, ...more]]));
  switch (kind) {
    case 'tests':
      return beginIn([...torture, ...sweeps, ...database], globalSetup);
    case 'journeys':
      return beginIn(journeys, 'e2e/start-site.ts');
    case 'postgres':
      return beginIn(database, globalSetup, 'bin/debian-postgres.mjs');
    case 'release':
      return { release: releaseFiles };
  }
}

/** Files of the release test: its script, and those that the script runs by name. */
const releaseFiles = [
  'test/release/run-release.ts',
  'bin/release/make-release.ts',
  'bin/bootstrap.mjs',
  'bin/sbom.mjs',
  'server/cli.ts',
];

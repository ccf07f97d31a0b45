import { testProjects } from './test-projects.ts';

/** Kinds of proofs: tests that reach a database, journeys, tests on the machine's own PostgreSQL, and a release. */
export const proofKinds = ['tests', 'journeys', 'postgres', 'release'] as const;
export type ProofKind = (typeof proofKinds)[number];

const globalSetup = 'test/global-setup.ts';

/** Returns the files in which each proof of a kind begins, by the proof's name; all else follows from them. */
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

/** The script of the test names the rest: what is packed, started and asked. */
const releaseFiles = [
  'test/release/run-release.ts',
  'bin/release/make-release.ts',
  'bin/bootstrap.mjs',
  'bin/sbom.mjs',
  'server/cli.ts',
];

import type { Env } from '#app/platform/env.server.ts';
import { type CheckResult, problem, warning, fine } from '#app/platform/check-result.ts';
import { inspectData } from '#database/embedded/embedded-postgres.ts';
import { inMegabytes } from '#database/in-megabytes.ts';

const name = 'PostgreSQL version';

type StoredData = NonNullable<ReturnType<typeof inspectData>>;

/**
 * Describes what the next start will do with a private database of an older version. Throws the
 * same errors as that start.
 */
export function examineDataVersion({ databaseUrl, dataDir }: Env): CheckResult[] {
  const stored = databaseUrl === null ? inspectData(dataDir) : null;
  if (!stored?.programs) return []; // Without binaries, the site cannot start.
  const { version } = stored.programs;
  const result = stored.move
    ? beforeMove(stored.major, version, stored.move)
    : afterwards(stored.programs);
  const old = stored.old.map(
    ({ folder, until }) => `; a copy from before the last move is kept in ${folder} until ${until}`,
  );
  return [{ ...result, detail: result.detail + old.join('') }];
}

function beforeMove(
  major: number,
  version: string,
  { root, instruction, neededBytes, freeBytes }: NonNullable<StoredData['move']>,
): CheckResult {
  const versions = `the data is from ${major}, and this release includes ${version}`;
  if (root === null) {
    return problem(name, `${versions}; the binaries of ${major} are missing`, instruction);
  }
  const detail = `${versions}; the binaries of ${major} are in ${root}, an upgrade needs up to ${inMegabytes(neededBytes)} of space, and ${inMegabytes(freeBytes)} are free`;
  if (freeBytes < neededBytes)
    return problem(name, detail, 'Free up space; until then the old version serves the data.');
  const fix =
    'Make a backup (`deals backup`), then start the site, which upgrades the data. docs/operations.md, “A new PostgreSQL”.';
  return warning(name, detail, fix);
}

function afterwards(programs: NonNullable<StoredData['programs']>): CheckResult {
  const { version, isPackaged, isKept } = programs;
  if (!isPackaged) return fine(name, `${version}, installed on this server`);
  if (isKept)
    return fine(name, `${version}; its binaries are stored for the upgrade to a newer one`);
  const detail = `${version}, whose binaries are not stored for the upgrade to a newer one`;
  return warning(name, detail, 'Start the site once: it stores them beside the data.');
}

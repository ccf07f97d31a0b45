import fs from 'node:fs';
import path from 'node:path';
import type { Env } from '#app/platform/env.server.ts';
import { type Finding, problem, warning, fine } from '#app/platform/finding.ts';
import {
  findKeptBinaries,
  findOlderBinaries,
  findPostgresBinaries,
} from '#database/embedded-postgres-binaries.ts';
import { inMegabytes, roomBeside, roomForMove } from '#database/embedded-postgres-move.ts';
import {
  type Place,
  listOldClusters,
  locateCluster,
  majorOf,
  ownerOf,
} from '#database/embedded-postgres-place.ts';
import { withoutOlderBinaries } from '#database/embedded-postgres.ts';
import { chooseAccount } from '#database/run-unprivileged.ts';

const name = 'PostgreSQL version';

/**
 * Describes what the next start will do with a private database of an older version, judging by its
 * files. Throws like a start.
 */
export function examineDataVersion({ databaseUrl, dataDir }: Env): Finding[] {
  if (databaseUrl !== null || !fs.existsSync(dataDir)) return [];
  const cluster = locateCluster(fs.realpathSync(dataDir));
  const major = majorOf(cluster);
  const binaries = findPostgresBinaries(major ?? undefined);
  if (major === null || typeof binaries === 'string') return []; // the start reports it
  const place = { cluster, binaries, account: ownerOf(cluster, chooseAccount()) };
  const finding = major < binaries.major ? beforeMove(place, major) : afterwards(place);
  const old = listOldClusters(cluster).map(
    ({ folder, until }) => `; a copy from before the last move is kept in ${folder} until ${until}`,
  );
  return [{ ...finding, says: finding.says + old.join('') }];
}

function beforeMove(place: Place, major: number): Finding {
  const own = findOlderBinaries(path.dirname(place.cluster), major, place.account);
  const [needed, free] = [roomForMove(place.cluster), roomBeside(place.cluster)];
  const versions = `the data are of ${major}, and this release brings ${place.binaries.version}`;
  if (own === null) {
    const mend = withoutOlderBinaries(place, major);
    return problem(name, `${versions}; the programs of ${major} are missing`, mend);
  }
  const says = `${versions}; the programs of ${major} are in ${own.root}, a move needs up to ${inMegabytes(needed)} of space, and ${inMegabytes(free)} are free`;
  if (free < needed)
    return problem(name, says, 'Free up space; until then the old version serves the data.');
  const mend =
    'Make a backup (`deals backup`), then start the site, which moves them. docs/operations.md, “A new PostgreSQL”.';
  return warning(name, says, mend);
}

function afterwards({ cluster, binaries, account }: Place): Finding {
  const { version, major, isPackaged } = binaries;
  if (!isPackaged) return fine(name, `${version}, installed on this server`);
  if (findKeptBinaries(path.dirname(cluster), major, account) !== null)
    return fine(name, `${version}; its programs are kept for the release that brings a newer one`);
  const says = `${version}, whose programs are not kept for the release that brings a newer one`;
  return warning(name, says, 'Start the site once: it stores them beside the data.');
}

import fs from 'node:fs';
import path from 'node:path';
import {
  type OldCluster,
  type Place,
  listOldClusters,
  locateCluster,
  majorOf,
  ownerOf,
  withoutOlderBinaries,
} from './cluster-place.ts';
import { roomBeside, roomForMove } from './move-cluster.ts';
import {
  findStoredBinaries,
  findOlderBinaries,
  findPostgresBinaries,
} from './postgres-binaries.ts';
import { chooseAccount } from './run-unprivileged.ts';

interface StoredData {
  /** The major version of PostgreSQL that created the data. */
  major: number;
  /**
   * The binaries that the next start would use. If there are none, null, and that start reports
   * it.
   */
  programs: { version: string; isPackaged: boolean; isKept: boolean } | null;
  /** The requirements of a move to a newer major version. null if no move is due. */
  move: {
    /** The folder of the older version's binaries, or null with instructions for getting them. */
    root: string | null;
    instruction: string;
    neededBytes: number;
    freeBytes: number;
  } | null;
  /** The clusters that earlier moves kept. */
  old: OldCluster[];
}

/** Describes a private database from its files alone. Returns null if there is none. */
export function inspectData(dataDir: string): StoredData | null {
  if (!fs.existsSync(dataDir)) return null;
  const cluster = locateCluster(fs.realpathSync(dataDir));
  const major = majorOf(cluster);
  if (major === null) return null;
  const old = listOldClusters(cluster);
  const binaries = findPostgresBinaries(major);
  if (typeof binaries === 'string') return { major, programs: null, move: null, old };
  const account = ownerOf(cluster, chooseAccount());
  const isKept = findStoredBinaries(path.dirname(cluster), major, account) !== null;
  const { version, isPackaged } = binaries;
  const place = { cluster, binaries, account };
  const move = major < binaries.major ? inspectMove(place, major) : null;
  return { major, programs: { version, isPackaged, isKept }, move, old };
}

function inspectMove(place: Place, major: number) {
  const programs = findOlderBinaries(path.dirname(place.cluster), major, place.account);
  return {
    root: programs?.root ?? null,
    instruction: withoutOlderBinaries(place, major),
    neededBytes: roomForMove(place.cluster),
    freeBytes: roomBeside(place.cluster),
  };
}

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import {
  safeFetch,
  SafeFetchError,
  type SafeFetchOptions,
} from '#app/platform/safe-fetch.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import type { Db } from '#database/connect.ts';
import { errorMessage } from '#database/error-code.ts';
import type { MediaStore } from '#database/media-store.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { RefusedPicture, UnreadablePicture } from '#app/platform/open-picture.server.ts';
import { drawPicture } from './draw-picture.server.ts';
import { fileOf, filesOf, picturesInAFolder } from './picture-files.ts';
import {
  countPictureBytes,
  type DuePicture,
  forgetAllPictures,
  giveUpPictures,
  noteMissed,
  noteRefused,
  noteStored,
  noteUnchanged,
  putPictureBack,
  takeDuePictures,
} from './picture-queue.server.ts';

/** simultaneous downloads; drawing is sequential */
const atOnce = 4;
const batchesInARun = 10;
const limits = { maxBytes: 15 * 1024 * 1024, timeoutMs: 20_000 };
/** bytes to keep free, since the database is on the same disk */
const leastFreeBytes = 1024 ** 3 / 2;
const restMs = 300_000;

export interface PictureWorker {
  signal?: AbortSignal;
  /** Replaces `safeFetch` in tests, whose shop is on this server. */
  fetch?: (address: string, options: SafeFetchOptions) => ReturnType<typeof safeFetch>;
  /** Returns a random number from 0 to 1, for jitter. */
  random?: () => number;
  /** Milliseconds of idle time per millisecond of drawing. */
  rest?: number;
}

interface Work extends Required<Omit<PictureWorker, 'signal'>> {
  db: Db;
  log: AppServices['log'];
  media: MediaStore;
  mostBytes: number;
  signal: AbortSignal | undefined;
}

/** Hosts that did not respond, with the time until which they are skipped. */
const restingHosts = new WeakMap<Db, Map<string, number>>();

/** Returns whether the job has work. If copies are turned off, it still deletes existing ones. */
export const arePicturesDue = ({ picturesMb }: Pick<Env, 'picturesMb'>) =>
  picturesMb === 0
    ? sql`exists (select from pictures)`
    : sql`(select true from pictures where due_at <= now() order by due_at, id limit 1)
        or (select value from site_counters where name = 'picture_bytes') > ${picturesMb * 2 ** 20}`;

/** Fetches pictures that pages show, creates copies, and deletes others when space is needed. */
export async function fetchPictures(
  { db, env, log }: Pick<AppServices, 'db' | 'env' | 'log'>,
  { signal, fetch = safeFetch, random = Math.random, rest = 1 }: PictureWorker = {},
): Promise<void> {
  if (env.picturesMb === 0) return forgetAllPictures(db, 1_000);
  const media = openMedia({ db, env });
  const mostBytes = env.picturesMb * 2 ** 20;
  const work = { db, log, media, mostBytes, signal, fetch, random, rest };
  for (let batch = 0; batch < batchesInARun; batch++) {
    if (signal?.aborted || !(await hasRoom(work)) || !(await fetchBatch(work))) return;
  }
}

/**
 * Deletes copies to free space. If all copies were shown within a day, new pictures wait, since
 * they would otherwise replace each other.
 */
async function hasRoom({ db, media, mostBytes }: Work): Promise<boolean> {
  for (;;) {
    const tooMany = (await countPictureBytes(db)) - mostBytes;
    if (tooMany <= 0) break;
    const names = await giveUpPictures(db, tooMany);
    if (names.length === 0) return false;
    for (const file of names.flatMap(filesOf)) await media.remove(file);
  }
  return (await media.countFreeBytes()) > leastFreeBytes;
}

/** Fetches the next pictures. Returns `false` if nothing was due. */
async function fetchBatch(work: Work): Promise<boolean> {
  const { db, signal, rest } = work;
  const due = await takeDuePictures(db, atOnce);
  const originals = await Promise.all(due.map((picture) => fetchOriginal(work, picture)));
  for (const [at, picture] of due.entries()) {
    const original = originals[at];
    if (!original) continue;
    if (signal?.aborted) {
      await putPictureBack(db, picture, 0);
      continue;
    }
    const since = performance.now();
    await copyPicture(work, picture, original);
    await sleep((performance.now() - since) * rest, undefined, { signal }).catch(() => {});
  }
  return due.length > 0;
}

/** Fetches the original. Returns `null` if it fails, after recording the failure. */
async function fetchOriginal(work: Work, picture: DuePicture): Promise<Buffer | null> {
  const { db, signal, random } = work;
  const resting = restingHosts.get(db) ?? new Map<string, number>();
  restingHosts.set(db, resting);
  const host = hostOf(picture);
  const restsFor = ((resting.get(host) ?? 0) - performance.now()) / 1_000;
  if (restsFor > 0) {
    await putPictureBack(db, picture, restsFor + random() * 60);
    return null;
  }
  resting.delete(host);
  try {
    const answer = await work.fetch(picture.source, { ...limits, ...(signal && { signal }) });
    return await buffer(answer.body);
  } catch (error) {
    const kind = error instanceof SafeFetchError ? error.kind : null;
    if (kind === 'silent' || kind === 'busy') resting.set(host, performance.now() + restMs);
    if (signal?.aborted) await putPictureBack(db, picture, 0);
    else if (kind === 'too large') await refuse(work, picture, errorMessage(error));
    else await noteMissed(db, picture, errorMessage(error), random);
    return null;
  }
}

async function copyPicture(work: Work, picture: DuePicture, original: Buffer): Promise<void> {
  const { db, log, media } = work;
  const hash = createHash('sha256').update(original).digest('hex').slice(0, 8);
  if (picture.name?.includes(`-${hash}-`)) return noteUnchanged(db, picture);
  try {
    const { widest, files } = await drawPicture(original);
    const stem = `pictures-${Math.floor(picture.id / picturesInAFolder)}/${picture.id.toString(36)}-${hash}`;
    for (const { box, format, content } of files) {
      await media.write(fileOf(stem, box, format), content);
    }
    const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
    await noteStored(db, picture, { name: `${stem}-${widest}`, bytes });
    log.debug({ picture: picture.id, host: hostOf(picture), bytes }, 'a picture was copied');
  } catch (error) {
    if (error instanceof RefusedPicture) return refuse(work, picture, error.message);
    if (!(error instanceof UnreadablePicture)) {
      log.warn({ err: error, picture: picture.id }, 'a picture could not be copied');
    }
    await noteMissed(db, picture, errorMessage(error), work.random);
  }
}

async function refuse({ db, log }: Work, picture: DuePicture, words: string): Promise<void> {
  log.info({ picture: picture.id, host: hostOf(picture), words }, 'a picture was refused');
  await noteRefused(db, picture, words);
}

function hostOf({ source }: DuePicture): string {
  return URL.parse(source)?.host ?? '';
}

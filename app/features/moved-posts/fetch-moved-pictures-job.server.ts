import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { editablePictures } from '#app/features/pictures/editable-pictures.server.ts';
import {
  libraryColumns,
  libraryMessages,
  type LibraryPicture,
  mostUploadedBytes,
} from '#app/features/pictures/library-picture.ts';
import { storeLibraryPicture } from '#app/features/pictures/store-library-picture.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { ownHostRules } from '#app/platform/own-hosts.ts';
import {
  safeFetch,
  SafeFetchError,
  type SafeFetchOptions,
} from '#app/platform/safe-fetch.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { errorMessage } from '#database/error-code.ts';
import { showPicture } from './show-picture.server.ts';

/** pictures per batch, all of which are in memory at the same time */
const atOnce = 4;
const atOncePerHost = 2;
/** ms between requests to one host */
const pauseMs = 250;
const mostAttempts = 3;
const batchesInARun = 10;
const limits = { maxBytes: mostUploadedBytes, timeoutMs: 20_000 };

type Services = Pick<AppServices, 'db' | 'env'>;

interface Worker {
  signal?: AbortSignal | undefined;
  /** Replaces `safeFetch` in tests, whose old site is on this server. */
  fetch?: (address: string, options: SafeFetchOptions) => ReturnType<typeof safeFetch>;
  /** Milliseconds of idle time per millisecond of image processing. */
  rest?: number;
}

type Fetcher = Required<Pick<Worker, 'fetch'>> & Pick<Worker, 'signal'> & Pick<Services, 'env'>;

interface Due {
  id: number;
  move_id: number;
  address: string;
  sources: string[];
  is_http: boolean;
  alt: string;
  attempts: number;
  actor: string;
}

interface Failure {
  reason: string;
  /** Whether a later attempt may succeed. */
  isTransient: boolean;
}

type Got = { picture: LibraryPicture } | { content: Buffer } | Failure;

export const areMovedPicturesDue = () =>
  sql`(select true from post_move_pictures where due_at <= now() order by due_at limit 1)`;

/**
 * Fetches the pictures of completed imports into the media library, in batches. An interrupted
 * batch is due again after ten minutes.
 */
export async function fetchMovedPictures(
  services: Services,
  { signal, fetch = safeFetch, rest = 1 }: Worker = {},
): Promise<void> {
  for (let batch = 0; batch < batchesInARun; batch++) {
    const due = signal?.aborted ? [] : await takeDue(services.db);
    if (due.length === 0) return;
    const got = await fetchBatch(services.db, due, { signal, fetch, env: services.env });
    for (const picture of due) {
      const since = performance.now();
      await finishPicture(services, picture, got.get(picture.id), signal);
      await sleep((performance.now() - since) * rest, undefined, { signal }).catch(() => {});
    }
  }
}

async function takeDue(db: Db): Promise<Due[]> {
  const due = await ask(db).rows<Due>`
    update post_move_pictures p set due_at = now() + interval '10 minutes', attempts = p.attempts + 1
      from post_moves m
     where m.id = p.move_id and p.id in (
       select id from post_move_pictures where due_at <= now()
        order by due_at, id limit ${atOnce} for update skip locked)
    returning p.id, p.move_id, p.address, p.sources, p.is_http, p.alt, p.attempts, m.created_by as actor`;
  return due.sort((one, other) => one.id - other.id);
}

/** Fetches pictures, a few at a time from each host. */
async function fetchBatch(db: Db, due: readonly Due[], worker: Fetcher): Promise<Map<number, Got>> {
  const got = new Map<number, Got>();
  const hosts = Map.groupBy(due, ({ address }) => URL.parse(address)?.host ?? '');
  const fetchSome = async (some: readonly Due[]) => {
    for (const picture of some) {
      if (worker.signal?.aborted) return;
      const known = await findFetched(db, picture.address);
      got.set(picture.id, known ? { picture: known } : await fetchOne(picture, worker));
      if (!known) await sleep(pauseMs, undefined, { signal: worker.signal }).catch(() => {});
    }
  };
  const lanes = [...hosts.values()].flatMap((some) =>
    Array.from({ length: atOncePerHost }, (_, lane) =>
      some.filter((_picture, at) => at % atOncePerHost === lane),
    ),
  );
  await Promise.all(lanes.map(fetchSome));
  return got;
}

/** Returns the library picture that an import fetched from this URL. */
async function findFetched(db: Db, address: string): Promise<LibraryPicture | null> {
  const columns = sql.join(libraryColumns.map((column) => sql.ref(`l.${column}`)));
  return ask(db).row<LibraryPicture>`
    select ${columns} from post_move_pictures p join library_pictures l on l.id = p.picture_id
     where p.address = ${address} limit 1`;
}

/** Tries the URLs of a picture in turn, http URLs last. */
async function fetchOne({ sources, is_http: isHttp }: Due, worker: Fetcher): Promise<Got> {
  const plain = isHttp ? sources.map((source) => source.replace(/^https:/, 'http:')) : [];
  const failures: Failure[] = [];
  for (const source of [...sources, ...plain]) {
    const got = await fetchFrom(source, worker);
    if (!('reason' in got)) return got;
    failures.push(got);
    // A server that does not respond over https may respond over http.
    if (worker.signal?.aborted || (got.isTransient && !isHttp)) break;
  }
  const told = failures.find(({ isTransient }) => !isTransient) ?? failures[0];
  const reason = told?.reason ?? 'the address cannot be reached';
  return { reason, isTransient: failures.every(({ isTransient }) => isTransient) };
}

async function fetchFrom(source: string, worker: Fetcher): Promise<{ content: Buffer } | Failure> {
  try {
    const headers = { accept: 'image/avif,image/webp,image/*;q=0.8' };
    const { signal, env } = worker;
    const rules = { ...limits, ...ownHostRules(env, source) };
    const answer = await worker.fetch(source, { ...rules, headers, ...(signal && { signal }) });
    if (!/^(?:text|application\/(?:json|xhtml))/i.test(answer.contentType))
      return { content: await buffer(answer.body) };
    answer.body.destroy();
    return { reason: 'the address points to a page, not a picture', isTransient: false };
  } catch (error) {
    const kind = error instanceof SafeFetchError ? error.kind : null;
    return { reason: errorMessage(error), isTransient: kind === 'silent' || kind === 'busy' };
  }
}

async function finishPicture(
  services: Services,
  due: Due,
  got: Got | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { db } = services;
  if (!got || (signal?.aborted && 'reason' in got)) return putBack(db, due);
  if ('reason' in got) return noteFailure(db, due, got);
  if ('picture' in got) return void (await keepPicture(db, due, got.picture, false));
  const name = nameOf(due.address);
  const stored = await storeLibraryPicture(services, got.content, {
    name,
    alt: due.alt,
    actor: due.actor,
  });
  if (!stored.ok) {
    const isTransient = stored.message === libraryMessages.diskFull;
    return noteFailure(db, due, { reason: stored.message, isTransient });
  }
  const { picture, isNew } = stored;
  const isKept = await keepPicture(db, due, picture, isNew);
  if (!isKept && isNew) await editablePictures.remove(db, picture.id, due.actor);
}

function nameOf(address: string): string {
  const file = URL.parse(address)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

/**
 * Shows a picture in place of its old URL. Returns false if the import was undone in the meantime.
 */
function keepPicture(
  db: Db,
  { id, move_id: moveId, sources, alt }: Due,
  picture: LibraryPicture,
  isNew: boolean,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const state = await ask(tx).value<string>`
      select state from post_moves where id = ${moveId} for update`;
    if (state !== 'done') return false;
    await ask(tx).rows`
      update post_move_pictures
         set state = 'fetched', due_at = null, reason = null, picture_id = ${picture.id}, is_new = ${isNew}
       where id = ${id}`;
    await showPicture(tx, id, { sources, alt: alt || picture.alt, picture });
    return true;
  });
}

async function putBack(db: Db, { id }: Due): Promise<void> {
  await ask(db).rows`
    update post_move_pictures set due_at = now(), attempts = attempts - 1
     where id = ${id} and due_at is not null`;
}

/**
 * Records a failure. If a host does not respond, all its pictures are paused, and after some
 * attempts they fail. Staff can try again.
 */
async function noteFailure(
  db: Db,
  { id, move_id: moveId, address, attempts }: Due,
  { reason, isTransient }: Failure,
): Promise<void> {
  const isLast = !isTransient || attempts >= mostAttempts;
  const host = isTransient ? (URL.parse('/', address)?.href ?? address) : address;
  await ask(db).rows`
    update post_move_pictures
       set state = ${isLast ? 'failed' : 'waiting'}, reason = ${reason.slice(0, 300)},
           due_at = case when ${isLast}::boolean then null else now() + make_interval(mins => ${attempts * attempts}::integer) end
     where move_id = ${moveId} and due_at is not null and (id = ${id} or starts_with(address, ${host}))`;
}

import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { isReservedHost } from '#app/platform/is-reserved-host.ts';
import type { Db } from '#database/connect.ts';

/** The columns about pictures in a query that reads deals. */
export interface ReadPicture {
  image_url: string | null;
  /** The value of `is_picture_news`. */
  isPictureNews: boolean;
  merchant: { id: number };
}

const writtenAfter = 1_000;
/** maximum number of pictures waiting; others are recorded when shown again */
const mostWaiting = 5_000;

/** Maps pictures, by source, to the merchant whose deal shows them. */
type Waiting = Map<string, number>;
const waitingIn = new WeakMap<Db, Waiting>();

/**
 * Records that pages show these pictures, in batches collected for a second and once a day per
 * picture. Missing ones are then fetched, and the least recently shown ones can be deleted.
 */
export function noteShownPictures(
  { primary, db: read, env, log }: Pick<AppServices, 'db' | 'env' | 'log' | 'primary'>,
  pictures: readonly ReadPicture[],
): void {
  const db = primary ?? read;
  if (env.picturesMb === 0) return;
  const waiting = waitingIn.get(db) ?? new Map<string, number>();
  const wasEmpty = waiting.size === 0;
  for (const { image_url: source, isPictureNews, merchant } of pictures) {
    if (!isPictureNews || source === null || waiting.size >= mostWaiting) continue;
    if (isElsewhere(source, env.origin)) waiting.set(source, merchant.id);
  }
  if (!wasEmpty || waiting.size === 0) return;
  waitingIn.set(db, waiting);
  const write = async () => {
    waitingIn.delete(db);
    await writeShown(db, waiting).catch((error: unknown) =>
      log.warn({ err: error }, 'recording shown pictures failed'),
    );
  };
  setTimeout(() => void write(), writtenAfter).unref();
}

/**
 * Records that an email shows these pictures, so that missing ones are copied before most readers
 * open it. `db` is the primary database.
 */
export async function noteMailedPictures(
  db: Db,
  pictures: readonly ReadPicture[],
  origin: string,
): Promise<void> {
  const shown: Waiting = new Map();
  for (const { image_url: source, isPictureNews, merchant } of pictures) {
    if (isPictureNews && source !== null && isElsewhere(source, origin))
      shown.set(source, merchant.id);
  }
  if (shown.size > 0) await writeShown(db, shown);
}

function isElsewhere(address: string, origin: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.origin !== origin && !isReservedHost(url.hostname);
}

/** Writes the pictures in the order of their keys, so that two writers cannot deadlock. */
export async function writeShown(db: Db, shown: ReadonlyMap<string, number>): Promise<void> {
  const sources = [...shown.keys()];
  const merchants = [...shown.values()];
  const rows = sql`(select source, md5(source)::uuid as key, merchant_id
     from unnest(${sources}::text[], ${merchants}::bigint[]) s (source, merchant_id))`;
  const isOld = sql`p.due_at is null and p.looked_at <= now() - interval '30 days'`;
  await sql`
    with shown as materialized (select p.id from pictures p join ${rows} s on s.key = p.source_key
                                 order by p.source_key for no key update of p)
    update pictures p set shown_on = (now() at time zone 'utc')::date,
           due_at = case when ${isOld} then now() else p.due_at end,
           attempts = case when ${isOld} then 0 else p.attempts end
      from shown where p.id = shown.id`.execute(db);
  await sql`
    insert into pictures (source, source_key, merchant_id)
    select s.source, s.key, m.id from ${rows} s join merchants m on m.id = s.merchant_id and m.keeps_pictures
     where not exists (select from pictures p where p.source_key = s.key)
     order by s.key
        on conflict (source_key) do nothing`.execute(db);
}

import { sql } from 'kysely';
import { pauseSeconds } from '#app/platform/deliver-outbox.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

export interface DuePicture {
  id: number;
  source: string;
  name: string | null;
  attempts: number;
}

/**
 * seconds for which a process owns a picture; a crash delays the picture for this long, and
 * fetching takes far less
 */
const takenForSeconds = 300;
const mostAttempts = 6;
const pauses = { firstPauseSeconds: 300, longestPauseSeconds: 4 * 3600 };

/**
 * Takes due pictures, longest-waiting first. A picture belongs to the process that took it as long
 * as its number of attempts is unchanged. Only one process can therefore record a result.
 */
export async function takeDuePictures(db: Db, most: number): Promise<DuePicture[]> {
  return ask(db).rows<DuePicture>`
    update pictures set due_at = ${inSeconds(takenForSeconds)}, attempts = attempts + 1
     where id in (select id from pictures where due_at <= now() order by due_at, id limit ${most} for update skip locked)
    returning id, source, name, attempts`;
}

/**
 * Puts back a picture without an attempt, because the process is stopping or the host is skipped.
 */
export async function putPictureBack(db: Db, picture: DuePicture, seconds: number): Promise<void> {
  await sql`update pictures set due_at = ${inSeconds(seconds)}, attempts = attempts - 1 where ${isStillOurs(picture)}`.execute(
    db,
  );
}

/**
 * Records a stored copy. Returns `false` if another process took the picture, or if the store now
 * forbids copies.
 */
export async function noteStored(
  db: Db,
  picture: DuePicture,
  { name, bytes }: { name: string; bytes: number },
): Promise<boolean> {
  const done = await sql`
    update pictures set name = ${name}, bytes = ${bytes}, ${looked} is_refused = false, last_error = null
     where ${isStillOurs(picture)}`.execute(db);
  return Number(done.numAffectedRows) === 1;
}

/** Records that the picture has not changed. */
export async function noteUnchanged(db: Db, picture: DuePicture): Promise<void> {
  await sql`update pictures set ${looked} last_error = null where ${isStillOurs(picture)}`.execute(
    db,
  );
}

/** Records that the picture may not be shown, and drops an earlier copy. */
export async function noteRefused(db: Db, picture: DuePicture, words: string): Promise<void> {
  await sql`
    update pictures set name = null, bytes = 0, is_refused = true, ${looked} last_error = ${words}
     where ${isStillOurs(picture)}`.execute(db);
}

/**
 * Records a failed fetch. The fetch is retried later, and after some attempts only when the picture
 * is shown again. An earlier copy is kept.
 */
export async function noteMissed(
  db: Db,
  picture: DuePicture,
  words: string,
  random: () => number,
): Promise<void> {
  const isOver = picture.attempts >= mostAttempts;
  const pause = pauseSeconds(picture.attempts, pauses, random);
  const then = isOver ? looked : sql`due_at = ${inSeconds(pause)},`;
  await sql`update pictures set ${then} last_error = ${words.slice(0, 500)} where ${isStillOurs(picture)}`.execute(
    db,
  );
}

const looked = sql`due_at = null, looked_at = now(),`;

function isStillOurs({ id, attempts }: DuePicture) {
  return sql`id = ${id} and attempts = ${attempts} and due_at is not null`;
}

function inSeconds(seconds: number) {
  return sql`now() + make_interval(secs => ${seconds})`;
}

export async function countPictureBytes(db: Db): Promise<number> {
  const sum = ask(db).value<number>`select value from site_counters where name = 'picture_bytes'`;
  return (await sum) ?? 0;
}

const mostGivenUp = 200;

/**
 * Deletes the least recently shown copies, except those shown today or yesterday, until there is
 * enough space or 200 are deleted. Returns their file names.
 */
export async function giveUpPictures(db: Db, bytes: number): Promise<string[]> {
  return ask(db).column<string>`
    with oldest as materialized (
      select id, bytes, shown_on from pictures
       where name is not null and shown_on < (now() at time zone 'utc')::date - 1
       order by shown_on, id limit ${mostGivenUp} for update skip locked
    ), summed as (
      select id, sum(bytes) over (order by shown_on, id) - bytes as before from oldest
    )
    delete from pictures where id in (select id from summed where before < ${bytes}) returning name`;
}

export interface RefusedAddress {
  address: string;
  /** Removes the period from a sentence. */
  reason: string;
}

/** Returns why pages do not show the picture from this address, or `null` if they do. */
export async function findRefusedPicture(
  db: Db,
  address: string | null,
): Promise<RefusedAddress | null> {
  return ask(db).row<RefusedAddress>`
    select source as address, last_error as reason from pictures
     where source_key = md5(${address}::text)::uuid and is_refused`;
}

/** Counts copies for System Info. */
export async function countPictures(db: Db) {
  const counted = ask(db).row<{ copied: number; waiting: number; refused: number }>`
    select count(name) as copied, count(due_at) as waiting, count(*) filter (where is_refused) as refused from pictures`;
  return {
    ...((await counted) ?? { copied: 0, waiting: 0, refused: 0 }),
    bytes: await countPictureBytes(db),
  };
}

export async function forgetAllPictures(db: Db, most: number): Promise<void> {
  await sql`delete from pictures where id in (select id from pictures order by id limit ${most} for update skip locked)`.execute(
    db,
  );
}

import { sql } from 'kysely';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { type DigestKind, isDigestOn } from './digest-content.ts';
import { longestListName } from './list-input.ts';

export interface NewsletterList {
  id: number;
  name: string;
  /** The email that the site writes for this list, if any. */
  automatic: DigestKind | null;
}

/**
 * Returns the lists that readers can choose: those in use. Lists of automatic emails are included
 * only while these emails are on.
 */
export async function listOfferedLists(db: Db): Promise<NewsletterList[]> {
  const settings = await readSiteSettings(db);
  const lists = await ask(db).rows<NewsletterList>`
    select id, name, automatic from newsletter_lists where retired_at is null order by id`;
  return lists.filter(({ automatic }) => automatic === null || isDigestOn(automatic, settings));
}

/** Returns the lists to which a newsletter can be sent. */
export function listSendableLists(db: Db): Promise<NewsletterList[]> {
  return ask(db).rows<NewsletterList>`
    select id, name, automatic from newsletter_lists
     where retired_at is null and automatic is null order by id`;
}

export interface ManagedList extends NewsletterList {
  isJoined: boolean;
  retiredAt: Date | null;
  subscribers: number;
}

/** Returns all lists with the number of their active subscribers. */
export function listManagedLists(db: Db): Promise<ManagedList[]> {
  return ask(db).rows<ManagedList>`
    select l.id, l.name, l.automatic, l.is_joined as "isJoined",
           l.retired_at as "retiredAt", coalesce(s.n, 0) as subscribers
      from newsletter_lists l left join (
        select list_id, count(*) as n from newsletter_subscriptions, unnest(list_ids) list_id
         where is_active group by list_id) s on s.list_id = l.id
     order by l.retired_at is not null, l.id`;
}

/**
 * Returns whether newsletters can be sent to a list, and prevents retiring the list until the
 * transaction ends.
 */
export async function holdList(tx: Tx, id: number): Promise<boolean> {
  const held = await ask(tx).value<number>`
    select id from newsletter_lists where id = ${id} and retired_at is null and automatic is null for share`;
  return held !== null;
}

export type ChangeListResult =
  | { ok: true }
  | { ok: false; reason: 'no-name' | 'name-taken' | 'missing' | 'in-use' | 'last' };

/** Adds a list. Current subscribers are not on the list until they choose it. */
export function addList(
  db: Db,
  { name: typed, isJoined, actor }: { name: string; isJoined: boolean; actor: string },
): Promise<ChangeListResult> {
  const name = cleanName(typed);
  if (name === null) return Promise.resolve({ ok: false, reason: 'no-name' });
  return db.transaction().execute(async (tx): Promise<ChangeListResult> => {
    const added = await tx
      .insertInto('newsletter_lists')
      .values({ name, is_joined: isJoined })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) return { ok: false, reason: 'name-taken' };
    await audit(tx, added.id, actor, 'create', null, { name, is_joined: isJoined });
    return { ok: true };
  });
}

/** Changes the name of a list, and whether new subscribers are added to it. */
export function changeList(
  db: Db,
  id: number,
  { name: typed, isJoined, actor }: { name: string; isJoined: boolean; actor: string },
): Promise<ChangeListResult> {
  const name = cleanName(typed);
  if (name === null) return Promise.resolve({ ok: false, reason: 'no-name' });
  return db.transaction().execute(async (tx): Promise<ChangeListResult> => {
    // Without this lock, two lists renamed to the same name at once would violate the unique index.
    await sql`select from newsletter_lists order by id for update`.execute(tx);
    const before = await lockList(tx, id);
    if (!before) return { ok: false, reason: 'missing' };
    const isTaken = await ask(tx).value<boolean>`
      select exists (select from newsletter_lists where lower(name) = lower(${name}) and id <> ${id})`;
    if (isTaken) return { ok: false, reason: 'name-taken' };
    await tx
      .updateTable('newsletter_lists')
      .set({ name, is_joined: isJoined })
      .where('id', '=', id)
      .execute();
    const { name: oldName, is_joined: wasJoined } = before;
    const was = { name: oldName, is_joined: wasJoined };
    await audit(tx, id, actor, 'update', was, { name, is_joined: isJoined });
    return { ok: true };
  });
}

/**
 * Retires or restores a list. The last list cannot be retired, nor can a list that a scheduled or
 * unfinished newsletter uses. Subscribers are kept.
 */
export function retireList(
  db: Db,
  id: number,
  { isRetired, actor }: { isRetired: boolean; actor: string },
): Promise<ChangeListResult> {
  return db.transaction().execute(async (tx): Promise<ChangeListResult> => {
    // Without this lock, two lists retired at the same time would each count the other as in use.
    await sql`select from newsletter_lists where automatic is null order by id for update`.execute(
      tx,
    );
    const list = await lockList(tx, id);
    if (!list || list.automatic !== null) return { ok: false, reason: 'missing' };
    if ((list.retired_at !== null) === isRetired) return { ok: true };
    if (isRetired) {
      const isBusy = await ask(tx).value<boolean>`
        select exists (select from newsletters where list_id = ${id} and state in ('scheduled', 'sending', 'paused'))`;
      if (isBusy) return { ok: false, reason: 'in-use' };
      if ((await listSendableLists(tx)).length === 1) return { ok: false, reason: 'last' };
    }
    await tx
      .updateTable('newsletter_lists')
      .set({ retired_at: isRetired ? sql<Date>`now()` : null })
      .where('id', '=', id)
      .execute();
    await audit(tx, id, actor, isRetired ? 'retire' : 'resume', null, { name: list.name });
    return { ok: true };
  });
}

function lockList(tx: Tx, id: number) {
  return tx
    .selectFrom('newsletter_lists')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

function cleanName(typed: string): string | null {
  const name = typed.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return name === '' || name.length > longestListName ? null : name;
}

function audit(
  tx: Tx,
  id: number,
  actor: string,
  verb: string,
  before: object | null,
  after: object,
): Promise<void> {
  const action = `newsletter_list.${verb}`;
  return writeAudit(tx, { actor, action, entity: 'newsletter_list', entityId: id, before, after });
}

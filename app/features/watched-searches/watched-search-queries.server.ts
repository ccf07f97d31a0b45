import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { GoesTo } from '#database/schema/alert-tables.ts';
import {
  type AlertOwner,
  isOwnedBy,
  lockOwner,
} from '#app/features/price-alerts/alert-owner.server.ts';
import { countRows } from '#app/platform/read-table-page.server.ts';
import type { Watchable } from './watchable.ts';
import type { Cadence } from './watch-cadence.ts';

export const mostSearchesPerOwner = 20;

export interface WatchedSearch {
  id: number;
  address: string;
  name: string;
  cadence: Cadence;
  goes_to: GoesTo;
  is_active: boolean;
  /** The number of finds since the owner marked them as seen, at most thirty between two emails. */
  unseen: number;
  seen_at: Date;
  /** The highest price that counts. Only a product's watch may have one. */
  max_price: number | null;
  /** The condition class of a watched product. */
  offer_class: 'new' | 'refurbished' | 'used' | null;
}

/**
 * The columns of `WatchedSearch`, read from `watched_searches s`. A watch of a product has the
 * address of the product that it was merged into.
 */
export const watchedSearchColumns = sql`
  s.id, s.name, s.cadence, s.goes_to, s.is_active, s.unseen, s.seen_at, s.max_price, s.offer_class,
  case when s.product_id is null then s.address
       else (select '/products/' || p.slug from products p where p.id = current_product(s.product_id)) end as address`;

const of = (owner: AlertOwner) => isOwnedBy(owner, 'watched_searches');

export function listWatchedSearches(db: Db, owner: AlertOwner): Promise<WatchedSearch[]> {
  return ask(db).rows<WatchedSearch>`
    select ${watchedSearchColumns} from watched_searches s
     where ${isOwnedBy(owner, 's')} order by s.created_at desc, s.id desc`;
}

/** Saves a watched search. If the owner already watches the address, updates that watch. */
export async function saveWatchedSearch(
  db: Db,
  owner: AlertOwner,
  watchable: Watchable,
  cadence: Cadence,
  goesTo: GoesTo | null = null,
): Promise<'saved' | 'too-many'> {
  return db.transaction().execute((tx) => putWatchedSearch(tx, owner, watchable, cadence, goesTo));
}

export async function putWatchedSearch(
  tx: Tx,
  owner: AlertOwner,
  { words, ...watchable }: Watchable,
  cadence: Cadence,
  goesTo: GoesTo | null = null,
): Promise<'saved' | 'too-many'> {
  const column = 'userId' in owner ? 'user_id' : 'watcher_id';
  await lockOwner(tx, owner);
  const own = tx.selectFrom('watched_searches').where(of(owner));
  const present = await own.select('id').where('address', '=', watchable.address).execute();
  if (present.length === 0 && (await countRows(own)) >= mostSearchesPerOwner) return 'too-many';
  const values = {
    ...watchable,
    words: sql<string | null>`${words}::tsquery`,
    cadence,
    ...(goesTo !== null && { goes_to: goesTo }),
    is_active: true,
  };
  await tx
    .insertInto('watched_searches')
    .values({ ...values, [column]: 'userId' in owner ? owner.userId : owner.watcherId })
    .onConflict((conflict) =>
      conflict.columns([column, 'address']).doUpdateSet({ ...values, updated_at: sql`now()` }),
    )
    .execute();
  return 'saved';
}

/**
 * Changes a watched search. Another owner's search is treated as missing, as in all functions
 * below.
 */
export async function changeWatchedSearch(
  db: Db,
  owner: AlertOwner,
  id: number,
  change: { cadence: Cadence } | { is_active: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('watched_searches')
    .set({ ...change, updated_at: sql`now()` })
    .where('id', '=', id)
    .where(of(owner))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Marks the finds of a search as seen. Returns the search's address, or `null` if it is missing.
 */
export async function markSeen(db: Db, owner: AlertOwner, id: number): Promise<string | null> {
  const row = await db
    .updateTable('watched_searches')
    .set({ unseen: 0, seen_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(of(owner))
    .returning('address')
    .executeTakeFirst();
  return row?.address ?? null;
}

export async function deleteWatchedSearch(db: Db, owner: AlertOwner, id: number): Promise<boolean> {
  const gone = db.deleteFrom('watched_searches').where('id', '=', id).where(of(owner));
  return (await gone.executeTakeFirst()).numDeletedRows > 0n;
}

export async function stopWatchedSearches(db: Db, owner: AlertOwner): Promise<void> {
  await db.updateTable('watched_searches').set({ is_active: false }).where(of(owner)).execute();
}

/** Stops a search by an emailed link, authorized by its signed token instead of a session. */
export async function stopWatchedSearch(db: Db, id: number): Promise<void> {
  await db.updateTable('watched_searches').set({ is_active: false }).where('id', '=', id).execute();
}

/** Allows another email to report the same low, since this one was cancelled. */
export async function forgetToldLow(db: Db, id: number, mail: number): Promise<void> {
  await sql`update watched_searches set told_low = null where id = ${id} and mails = ${mail}`.execute(
    db,
  );
}

/** The content of a watched search's email at the time of sending. */
export interface SearchNews {
  id: number;
  address: string;
  name: string;
  min_price: number | null;
  max_price: number | null;
  watcherId: number | null;
  dealIds: number[];
  /** The watched product, with the values that its email compares. */
  product: ProductToNotify | null;
}

export interface ProductToNotify {
  id: number;
  slug: string;
  title: string;
  condition: 'new' | 'refurbished' | 'used';
  withShipping: boolean;
  /** The lowest price before the drop. */
  former: number | null;
}

export function findSearchNews(db: Db, searchId: number, mail: number) {
  return ask(db).row<SearchNews>`
    select s.id, s.address, s.name, s.min_price, s.max_price, s.watcher_id as "watcherId",
           array(select f.deal_id from watched_search_finds f
                  where f.search_id = s.id and f.mail = ${mail} order by f.deal_id desc) as "dealIds",
           (select jsonb_build_object('id', p.id, 'slug', p.slug, 'title', p.title, 'condition', s.offer_class,
                     'withShipping', s.with_shipping, 'former', (select l.former from product_lows l where l.id = s.told_low))
              from products p where p.id = current_product(s.product_id)) as product
      from watched_searches s where s.id = ${searchId} and s.is_active`;
}

import { sql } from 'kysely';
import { listCategories } from '#app/features/categories/category-queries.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { findLinkedSubscription, newsletterLinkQuery } from './newsletter-link.server.ts';
import { listOfferedLists } from './newsletter-lists.server.ts';
import {
  endSubscription,
  findSubscription,
  lockSubscription,
} from './newsletter-queries.server.ts';

export interface PreferenceLink {
  email: string;
  token: string;
}

interface Choice {
  id: number;
  name: string;
  isOn: boolean;
}

/** The choices of a subscriber. */
export interface Preferences {
  /**
   * Whether there is anything to choose: not if the person unsubscribed or has not confirmed yet.
   */
  isActive: boolean;
  lists: Choice[];
  categories: Choice[];
  stores: Choice[];
  followsFavorites: boolean;
}

/** The number of stores to offer. Others are offered only if the subscriber follows them. */
const mostStores = 60;

/**
 * Returns the choices of the subscriber that a link belongs to, or `null` if the link is invalid.
 */
export async function readPreferences(db: Db, link: PreferenceLink): Promise<Preferences | null> {
  const subscription = await findLinkedSubscription(db, 'unsubscribe', link);
  if (!subscription) return null;
  const { list_ids, followed_category_ids, followed_merchant_ids } = subscription;
  const [lists, categories, stores] = await Promise.all([
    listOfferedLists(db),
    listCategories(db),
    ask(db).rows<{ id: number; name: string }>`
      select id, name from merchants
       where id = any(${followed_merchant_ids}::bigint[])
          or id in (select id from merchants order by deal_count desc, id limit ${mostStores})
       order by lower(name), id`,
  ]);
  return {
    isActive: subscription.is_active,
    lists: choose(lists, list_ids),
    categories: choose(categories, followed_category_ids),
    stores: choose(stores, followed_merchant_ids),
    followsFavorites: subscription.follows_favorites,
  };
}

function choose(all: readonly { id: number; name: string }[], chosen: readonly number[]): Choice[] {
  return all.map(({ id, name }) => ({ id, name, isOn: chosen.includes(id) }));
}

export interface ChosenPreferences {
  lists: number[];
  categories: number[];
  stores: number[];
  followsFavorites: boolean;
}

export type SavePreferencesResult = 'saved' | 'left' | 'not-active' | 'invalid';

/**
 * Stores the choices. Without any list, the subscription ends. This never reactivates or confirms a
 * subscription.
 */
export async function savePreferences(
  db: Db,
  link: PreferenceLink,
  chosen: ChosenPreferences,
): Promise<SavePreferencesResult> {
  const linked = await findLinkedSubscription(db, 'unsubscribe', link);
  if (!linked) return 'invalid';
  const offered = (await listOfferedLists(db)).map(({ id }) => id);
  return db.transaction().execute(async (tx): Promise<SavePreferencesResult> => {
    const current = await lockSubscription(tx, linked.email);
    if (current?.token_nonce !== linked.token_nonce) return 'invalid';
    if (!current.is_active) return 'not-active';
    const wanted = offered.filter((id) => chosen.lists.includes(id));
    if (wanted.length === 0) {
      await endSubscription(tx, current.id, current.token_nonce);
      return 'left';
    }
    // Readers stay on lists that are not offered at the moment.
    const hidden = current.list_ids.filter((id) => !offered.includes(id));
    await tx
      .updateTable('newsletter_subscriptions')
      .set({
        list_ids: [...hidden, ...wanted].toSorted((a, b) => a - b),
        followed_category_ids: await knownIds(tx, 'categories', chosen.categories),
        followed_merchant_ids: await knownIds(tx, 'merchants', chosen.stores),
        follows_favorites: chosen.followsFavorites,
      })
      .where('id', '=', current.id)
      .execute();
    return 'saved';
  });
}

/** Returns those of the ids that exist. */
function knownIds(tx: Tx, table: 'categories' | 'merchants', ids: number[]): Promise<number[]> {
  return ask(tx).column<number>`
    select id from ${sql.table(table)} where id = any(${ids}::bigint[]) order by id limit 500`;
}

/**
 * Removes a person from one list, and ends the subscription with the last one. Returns `true` if
 * the person was on the list.
 */
export async function leaveList(
  db: Db,
  { id, token_nonce: nonce, email }: { id: number; token_nonce: string; email: string },
  listId: number,
): Promise<boolean> {
  const offered = new Set((await listOfferedLists(db)).map((list) => list.id));
  return db.transaction().execute(async (tx) => {
    const current = await lockSubscription(tx, email);
    if (current?.id !== id || current.token_nonce !== nonce) return false;
    const left = current.list_ids.filter((one) => one !== listId);
    if (!current.is_active || !left.some((one) => offered.has(one))) {
      return endSubscription(tx, id, nonce);
    }
    if (left.length === current.list_ids.length) return false;
    await tx
      .updateTable('newsletter_subscriptions')
      .set({ list_ids: left })
      .where('id', '=', id)
      .execute();
    return true;
  });
}

/**
 * Returns the path of the newsletter preferences for an account's verified address, or `null`
 * without a subscription.
 */
export async function findPreferencesPath(db: Db, email: string): Promise<string | null> {
  const subscription = await findSubscription(db, email);
  if (!subscription?.is_active) return null;
  return `/newsletter/preferences?${await newsletterLinkQuery(db, 'unsubscribe', subscription)}`;
}

import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** Names by kind and id. */
export type Names = Record<string, Record<string, string>>;

/** The table and name column of each kind. */
const kinds: Record<string, { table: string; name: string; isByText?: true }> = {
  deal: { table: 'deals', name: 'title' },
  category: { table: 'categories', name: 'name' },
  merchant: { table: 'merchants', name: 'name' },
  post: { table: 'blog_posts', name: 'title' },
  page: { table: 'site_pages', name: 'title' },
  slot: { table: 'slots', name: 'title' },
  import: { table: 'import_runs', name: 'source_name' },
  'feed-source': { table: 'feed_sources', name: 'name' },
  webhook: { table: 'webhook_endpoints', name: 'url' },
  channel: { table: 'channels', name: 'name' },
  evidence_site: { table: 'evidence_sites', name: 'address' },
  'saved-view': { table: 'saved_views', name: 'name' },
  api_key: { table: 'api_keys', name: 'name' },
  contact_message: { table: 'contact_messages', name: 'subject' },
  subscription: { table: 'newsletter_subscriptions', name: 'email' },
  newsletter_list: { table: 'newsletter_lists', name: 'name' },
  invitation: { table: 'staff_invitations', name: 'email' },
  right_set: { table: 'right_sets', name: 'name' },
  user: { table: 'users', name: 'email', isByText: true },
};

/** Returns the current names of existing rows, with one query per kind. */
export async function nameThings(
  db: Db,
  wanted: Iterable<readonly [kind: string, id: string]>,
): Promise<Names> {
  const byKind = new Map<string, Set<string>>();
  for (const [kind, id] of wanted) {
    const place = kinds[kind];
    if (!place || !(place.isByText || /^\d{1,15}$/.test(id))) continue;
    byKind.set(kind, (byKind.get(kind) ?? new Set()).add(id));
  }
  const named = await Promise.all(
    [...byKind].map(async ([kind, ids]) => [kind, await nameKind(db, kind, [...ids])] as const),
  );
  return Object.fromEntries(named);
}

async function nameKind(db: Db, kind: string, ids: string[]): Promise<Record<string, string>> {
  const place = kinds[kind];
  if (!place) return {};
  const isWanted = place.isByText ? sql`id = any(${ids})` : sql`id = any(${ids}::bigint[])`;
  const rows = await ask(db).rows<{ id: string; name: string }>`
    select id::text, ${sql.ref(place.name)} as name from ${sql.table(place.table)} where ${isWanted}`;
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}

import { landingHost } from '#app/features/deals/landing-host.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { firstFreeSlug, slugify } from '#database/slug.ts';
import { plainHost } from './clean-content.server.ts';

/** The merchant of an offer. */
export interface Store {
  /** null if the import will add the merchant. */
  id: number | null;
  name: string;
  slug: string;
  website: string | null;
}

export interface Stores {
  byName: Map<string, Store[]>;
  byHost: Map<string, Store[]>;
  slugs: Set<string>;
}

/** Returns all merchants by name and by the host of their website. */
export async function readStores(db: Db): Promise<Stores> {
  const rows = await ask(db).rows<Store & { id: number }>`
    select id, name, slug, website_url as website from merchants order by id`;
  const former = await ask(db).column<string>`
    select slug from slug_redirects where kind = 'merchant'`;
  const stores: Stores = { byName: new Map(), byHost: new Map(), slugs: new Set(former) };
  for (const row of rows) addStore(stores, row);
  return stores;
}

function addStore({ byName, byHost, slugs }: Stores, store: Store): void {
  const put = (map: Map<string, Store[]>, key: string) => {
    if (key !== '') map.set(key, [...(map.get(key) ?? []), store]);
  };
  put(byName, store.name.toLowerCase());
  put(byHost, plainHost(store.website ?? ''));
  slugs.add(store.slug);
}

/**
 * Returns the merchant that an offer names, else the merchant whose website has the link's host,
 * else a new one. The host distinguishes merchants with the same name.
 */
export function findStore(
  stores: Stores,
  name: string | null,
  link: string | null,
): { store: Store } | { problem: string } {
  const host = link === null ? '' : landingHost(link, null);
  const named = name === null ? [] : (stores.byName.get(name.toLowerCase()) ?? []);
  const hosted = stores.byHost.get(host) ?? [];
  const [only] = named;
  if (only && named.length === 1) return { store: only };
  const among = named.length > 1 ? named.filter((store) => hosted.includes(store)) : hosted;
  const [found] = among;
  if (found && among.length === 1) return { store: found };
  if (named.length > 1) return { problem: `More than one store is called “${name}”` };
  if (among.length > 1) return { problem: `More than one store has the website ${host}` };
  const called = name ?? host;
  if (called === '') return { problem: 'Names no store, and its link does not show one' };
  const store = {
    id: null,
    name: called.slice(0, 100).toWellFormed(),
    slug: firstFreeSlug(slugify(called) || 'merchant', stores.slugs),
    website: host === '' ? null : `https://${host}/`,
  };
  addStore(stores, store);
  return { store };
}

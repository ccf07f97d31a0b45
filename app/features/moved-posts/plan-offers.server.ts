import { landingHost } from '#app/features/deals/landing-host.ts';
import { pathOfTyped } from '#app/features/catalog/redirect-rules.ts';
import { shortenText } from '#app/platform/cut-text.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { dealSlug, firstFreeSlug, slugify } from '#database/slug.ts';
import { plainHost } from './clean-content.server.ts';
import { findStore, readStores, type Store, type Stores } from './match-store.server.ts';
import type { MoveKind } from './move-kind.ts';
import { newPathOf } from './new-path.ts';
import type { OldOffer } from './read-offer.ts';
import type { OldLink } from './stage-offer.ts';

/** The plan for an offer, stored with it until the import. */
export interface OfferPlan {
  /** The reason why the offer is skipped, found while planning. */
  skip?: string;
  notes?: string[];
  store?: Store;
  /** The URL of the offer at its store, behind cloaked links. */
  link?: string | null;
  /** The item of this import to whose page a cloaked link redirects. */
  item?: number;
}

export type OfferDetails = OldOffer & { plan?: OfferPlan };
type LinkDetails = OldLink & { plan?: OfferPlan };

/** An item of the import that is being planned. */
export interface PlannedItem {
  id: number;
  kind: MoveKind;
  old_path: string | null;
  asked_slug: string;
  slug: string | null;
  skip: string | null;
  details?: object;
}

interface Planning {
  stores: Stores;
  /** Targets of cloaked links, by path. */
  cloaked: ReadonlyMap<string, string>;
  oldHosts: ReadonlySet<string>;
  codes: Set<string>;
  slugs: Set<string>;
  categories: ReadonlySet<string>;
}

/**
 * Chooses the store and URL of each imported deal and coupon, and the targets of cloaked links.
 * Runs again before the import, since the site may have changed since the preview.
 */
export async function planOffers(
  db: Db,
  moveId: number,
  items: readonly PlannedItem[],
): Promise<void> {
  const rows = await ask(db).rows<{ id: number; details: object; old_url: string }>`
    select id, details - 'plan' as details, old_url from post_move_items
     where move_id = ${moveId} and kind in ('deal', 'coupon', 'link')`;
  if (rows.length === 0) return;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const open = items.filter(({ id, skip }) => byId.has(id) && skip === null);
  for (const item of items) {
    const row = byId.get(item.id);
    if (row) item.details = row.details;
  }
  const planning = await readPlanning(db, moveId, open, rows);
  for (const item of open) if (item.kind !== 'link') planOffer(item, planning);
  await planLinks(db, open, planning);
}

async function readPlanning(
  db: Db,
  moveId: number,
  open: readonly PlannedItem[],
  rows: readonly { old_url: string }[],
): Promise<Planning> {
  const site = await ask(db).value<string>`select site_url from post_moves where id = ${moveId}`;
  const hosts = new Set([site ?? '', ...rows.map(({ old_url: url }) => url)].map(plainHost));
  hosts.delete('');
  const moved = await ask(db).rows<{ old_path: string; link: string }>`
    select old_path, details ->> 'link' as link from post_move_items
     where kind = 'link' and old_path is not null and details ->> 'link' is not null
       and (move_id = ${moveId} or outcome in ('moved', 'kept')) order by id`;
  const codes = await ask(db).column<string>`
    select merchant_id || ' ' || upper(code) from coupons
     where upper(code) = any(${open.map((item) => codeOf(item).toUpperCase())}::text[])`;
  const wished = open.flatMap(({ kind, asked_slug: asked }) => {
    const wish = dealSlug(asked) || 'deal';
    return kind === 'deal'
      ? [wish, ...Array.from({ length: 8 }, (_one, at) => `${wish}-${at + 2}`)]
      : [];
  });
  const slugs = await ask(db).column<string>`
    select slug from deals where slug = any(${wished}::text[])
    union select slug from slug_redirects where kind = 'deal' and slug = any(${wished}::text[])`;
  const categories = await ask(db).rows<{ name: string; slug: string }>`
    select name, slug from categories`;
  return {
    stores: await readStores(db),
    cloaked: new Map(moved.map(({ old_path: path, link }) => [path, link])),
    oldHosts: hosts,
    codes: new Set(codes),
    slugs: new Set(slugs),
    categories: new Set(categories.flatMap(({ name, slug }) => [categoryKey(name), slug])),
  };
}

const codeOf = ({ details }: PlannedItem) => (details as OfferDetails | undefined)?.code ?? '';

/** `Home & Living` and `home living` are one category, as in imports. */
export function categoryKey(name: string): string {
  return slugify(name) || name.trim().toLowerCase();
}

function planOffer(item: PlannedItem, planning: Planning): void {
  const details = item.details as OfferDetails;
  const link = behindCloak(details.link, planning);
  const isLost = details.link !== null && link === null;
  const found = findStore(planning.stores, details.store, link);
  const notes: string[] = [];
  const skip = (reason: string) => {
    item.skip = reason;
    item.details = { ...details, plan: { skip: reason } };
  };
  if (isLost && item.kind === 'deal')
    return skip(`Its link points to the old site: ${shortenText(details.link ?? '', 80)}`);
  if ('problem' in found) return skip(found.problem);
  const { store } = found;
  if (isLost) notes.push('Left out its link, which points to the old site');
  notes.push(`Store: ${store.name}${store.id === null ? ' (new)' : ''}`);
  if (item.kind === 'coupon') {
    const key = `${store.id ?? store.name.toLowerCase()} ${codeOf(item).toUpperCase()}`;
    if (planning.codes.has(key)) notes.push('The store already has this code, which is kept');
    planning.codes.add(key);
    item.slug = store.slug;
  } else {
    const own = details.categories.map(categoryKey);
    if (!own.some((name) => planning.categories.has(name)))
      notes.push(`Category not here: ${details.categories[0] ?? 'none'}`);
    item.slug = firstFreeSlug(dealSlug(item.asked_slug) || 'deal', planning.slugs);
    planning.slugs.add(item.slug);
  }
  if (details.endsAt !== null && new Date(details.endsAt) <= new Date()) notes.push('Expired');
  item.details = { ...details, plan: { store, link, notes } };
}

/** Returns the URL behind a cloaked link of the old site, or null if none is known. */
function behindCloak(link: string | null, { oldHosts, cloaked }: Planning): string | null {
  let address = link;
  for (let depth = 0; depth < 3; depth++) {
    if (address === null || !oldHosts.has(plainHost(address))) return address;
    address = cloaked.get(pathOfTyped(address) ?? '') ?? null;
  }
  return null;
}

/**
 * Redirects each cloaked link to the deal with the same URL, or to the store if its target is the
 * store's front page. Other links keep their target, which is fixed, so visitors cannot choose it.
 */
async function planLinks(db: Db, open: readonly PlannedItem[], planning: Planning): Promise<void> {
  const links = open.filter(({ kind }) => kind === 'link');
  if (links.length === 0) return;
  const targets = links.flatMap(({ details }) => (details as LinkDetails).link);
  const stored = await ask(db).rows<{ deal_url: string; slug: string }>`
    select deal_url, slug from deals where deal_url = any(${targets}::text[]) and is_active order by id desc`;
  const pages = new Map<string, { path: string; item?: number }>();
  for (const { deal_url: url, slug } of stored)
    pages.set(url, { path: newPathOf({ kind: 'deal', slug }) });
  for (const { id, kind, slug, details } of open.toReversed()) {
    const { plan, isPublished } = details as OfferDetails;
    if (kind === 'deal' && slug !== null && plan?.link && isPublished)
      pages.set(plan.link, { path: newPathOf({ kind, slug }), item: id });
  }
  for (const item of links) {
    const details = item.details as LinkDetails;
    const target = behindCloak(details.link, planning);
    const page = target === null ? undefined : pages.get(target);
    if (target === null) {
      item.skip = 'Its target is on the old site';
      item.details = { ...details, plan: { skip: item.skip } };
      continue;
    }
    item.slug = page?.path ?? storePage(target, planning) ?? target;
    item.details = { ...details, plan: page?.item === undefined ? {} : { item: page.item } };
  }
}

function storePage(target: string, { stores }: Planning): string | null {
  const { pathname, search, hash } = new URL(target);
  if (pathname !== '/' || search !== '' || hash !== '') return null;
  const [only, ...others] = stores.byHost.get(landingHost(target, null)) ?? [];
  return only?.id && others.length === 0 ? `/merchants/${only.slug}` : null;
}

import { wordRuns } from '#app/platform/fold.ts';
import { countRows } from '#app/platform/read-table-page.server.ts';
import { type AppServices, cacheValue } from '#app/platform/app-context.server.ts';
import { searchColumns } from '#app/features/catalog/search-fields.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { mayBeSlug } from '#database/slug.ts';

const columns = [
  'id',
  'name',
  'slug',
  'description',
  'logo_url',
  'website_url',
  'is_featured',
  'free_shipping_over',
  'deal_count',
] as const;

export type Merchant = Awaited<ReturnType<typeof listMerchantsByName>>[number];

/** A merchant with the texts for its page's head. */
type FoundMerchant = NonNullable<Awaited<ReturnType<typeof findMerchantBySlug>>>;

/** Returns a page of all merchants by name. */
export function listMerchantsByName(db: Db, { limit, offset }: { limit: number; offset: number }) {
  return byName(db).limit(limit).offset(offset).execute();
}

/** Returns a page of all merchants, featured ones first. */
export function listMerchants(db: Db, { limit, offset }: { limit: number; offset: number }) {
  return merchants(db)
    .orderBy('is_featured', 'desc')
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
}

export function listFeaturedMerchants(db: Db, limit: number) {
  return byName(db).where('is_featured', '=', true).limit(limit).execute();
}

export function countMerchants(db: Db) {
  return countRows(merchants(db));
}

export async function findMerchantBySlug(db: Db, slug: string) {
  if (!mayBeSlug(slug)) return null;
  const found = merchants(db).select([...searchColumns, 'share_image_url']);
  return (await found.where('slug', '=', slug).executeTakeFirst()) ?? null;
}

export async function findMerchantById(db: Db, id: number) {
  return (await merchants(db).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Returns a merchant from the cache, for use on pages. */
export function cachedMerchant(services: AppServices, slug: string): Promise<FoundMerchant | null> {
  return cacheValue(services, `merchant ${slug}`, ['deals'], () =>
    findMerchantBySlug(services.db, slug),
  );
}

function merchants(db: Db) {
  return db.selectFrom('merchants').select(columns);
}

function byName(db: Db) {
  return merchants(db).orderBy('name').orderBy('id');
}

/** Returns stores whose complete name appears in a text. Names have one to four words. */
export async function findNamedMerchants(db: Db, text: string) {
  const runs = wordRuns(text);
  if (runs.length < 2) return [];
  return ask(db).rows<{ name: string; slug: string }>`
    select name, slug from merchants where fold(name) = any(${runs}::text[])`;
}

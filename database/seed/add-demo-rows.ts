import { type InsertObject, sql } from 'kysely';
import type { Tx } from '#database/connect.ts';
import type { MediaStore } from '#database/media-store.ts';
import type { Database } from '#database/schema.ts';
import type { DemoMerchant, demoCategories } from './demo-shops.ts';
import { slugify } from '#database/slug.ts';
import { type PictureWish, writeDemoLogos, writeDemoPictures } from './write-demo-pictures.ts';

/** URLs of pictures by slug, and of logos by merchant name. */
export interface DemoPictures {
  bySlug: ReadonlyMap<string, string>;
  logos: ReadonlyMap<string, string>;
}

/** Draws the demo pictures. Returns no URLs if there is no picture store. */
export async function drawDemoPictures(
  media: MediaStore | undefined,
  wishes: readonly PictureWish[],
  merchants: readonly DemoMerchant[],
): Promise<DemoPictures> {
  if (!media) return { bySlug: new Map(), logos: new Map() };
  const names = merchants.map(({ name }) => name);
  return {
    bySlug: await writeDemoPictures(media, wishes),
    logos: await writeDemoLogos(media, names),
  };
}

/** Adds the rows whose slugs do not exist yet, and returns the added rows. */
export function addNewRows<Table extends 'categories' | 'merchants' | 'deals' | 'blog_posts'>(
  tx: Tx,
  table: Table,
  rows: readonly InsertObject<Database, Table>[],
): Promise<{ id: number; slug: string }[]> {
  return tx
    .insertInto(table)
    .values(rows)
    .onConflict((conflict) => conflict.expression(sql`slug`).doNothing())
    .returning([sql<number>`id`.as('id'), sql<string>`slug`.as('slug')])
    .execute();
}

export function categoryRow({ name, icon, description }: (typeof demoCategories)[number]) {
  return { name, slug: slugify(name), icon, description, is_demo: true };
}

export function merchantRow(merchant: DemoMerchant, { logos }: DemoPictures) {
  return {
    name: merchant.name,
    slug: slugify(merchant.name),
    description: merchant.description,
    website_url: `https://${merchant.host}`,
    logo_url: logos.get(merchant.name) ?? null,
    is_featured: merchant.isFeatured,
    free_shipping_over: merchant.freeShippingOver,
    standard_shipping: merchant.standardShipping,
    matches_freely: true,
    is_demo: true,
  };
}

/** Returns a function that looks up the ids of a deal's category and merchant by name. */
export async function readPlaces(tx: Tx) {
  const categoryId = await readIds(tx, 'categories');
  const merchantId = await readIds(tx, 'merchants');
  return (category: string, merchant: string) => ({
    category_id: categoryId(category),
    merchant_id: merchantId(merchant),
  });
}

async function readIds(tx: Tx, table: 'categories' | 'merchants') {
  const rows = await tx.selectFrom(table).select(['id', 'slug']).execute();
  const ids = new Map(rows.map(({ id, slug }) => [slug, id]));
  return (name: string): number => {
    const id = ids.get(slugify(name));
    if (id === undefined) throw new Error(`The demo shop has no row "${name}"`);
    return id;
  };
}

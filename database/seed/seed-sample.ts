import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import {
  addNewRows,
  categoryRow,
  drawDemoPictures,
  merchantRow,
  readPlaces,
} from './add-demo-rows.ts';
import { demoCategories, demoMerchants } from './demo-shops.ts';
import { slugify } from '#database/slug.ts';
import sample from './sample-shop.json' with { type: 'json' };
import type { SeedOptions } from './seed-demo.ts';

const categories = demoCategories.slice(0, 6);
const merchants = demoMerchants.filter(({ name }) => sample.merchants.includes(name));
const deals = sample.deals.map((deal) => ({ ...deal, slug: slugify(deal.title) }));
const sevenDays = 7 * 24 * 60 * 60_000;

/** Adds the admin's sample data to an empty site: 6 categories, 3 merchants and 2 deals. */
export async function seedSample(
  db: Db,
  /** Called to log the seeding in the same transaction. */
  { now, media, record }: SeedOptions & { record?: (tx: Tx) => Promise<void> },
): Promise<{ success: boolean; added: boolean; message: string }> {
  const pictures = await drawDemoPictures(media, deals, merchants);
  return db.transaction().execute(async (tx) => {
    // Two simultaneous clicks must not both find an empty site. The lock blocks adding categories
    // but not reading them.
    await sql`lock table categories in share row exclusive mode`.execute(tx);
    const any = await tx.selectFrom('categories').select('id').limit(1).executeTakeFirst();
    if (any) return { success: true, added: false, message: 'Data already exists' };
    await addNewRows(tx, 'categories', categories.map(categoryRow));
    await addNewRows(
      tx,
      'merchants',
      merchants.map((merchant) => merchantRow(merchant, pictures)),
    );
    const placesOf = await readPlaces(tx);
    const rows = deals.map((deal) => ({
      ...placesOf(deal.category, deal.merchant),
      title: deal.title,
      slug: deal.slug,
      description: deal.description,
      image_url: pictures.bySlug.get(deal.slug) ?? null,
      sale_price: deal.salePriceInCents,
      original_price: deal.originalPriceInCents,
      deal_url: `https://${slugify(deal.merchant)}.example/p/${deal.slug}`,
      seller_type: 'third_party' as const,
      availability: 'in_stock' as const,
      expires_at: new Date(now.getTime() + sevenDays),
      is_featured: deal.isFeatured,
      is_demo: true,
    }));
    // The source is the administrator who requested the samples, and the log records their first
    // price as usual.
    await tx.insertInto('deals').values(rows).execute();
    await record?.(tx);
    return {
      success: true,
      added: true,
      message: `Added ${categories.length} categories, ${merchants.length} merchants and ${deals.length} deals`,
    };
  });
}

import { sql } from 'kysely';
import { aCategory } from '#database/factories/a-category.ts';
import { aDeal } from '#database/factories/a-deal.ts';
import { aMerchant } from '#database/factories/a-merchant.ts';
import type { Db, Tx } from '#database/connect.ts';
import { demoCategories, demoMerchants } from './demo-shops.ts';
import { demoSlug } from './demo-slug.ts';
import type { SeedOptions } from './seed-demo.ts';
import { writeDemoLogos, writeDemoPictures } from './write-demo-pictures.ts';

const sampleCategories = demoCategories.slice(0, 6);
const sampleMerchants = demoMerchants.filter(({ name }) =>
  ['Northwind Audio', 'Plainweave Atelier', 'Hearthmoor Kitchen'].includes(name),
);
const sampleDeals = [
  {
    title: 'Wireless over-ear headphones, sample deal',
    description:
      'Over-ear headphones with a 40-hour battery. A sample to see what a deal looks like.',
    kind: 'headphones',
    category: 'Electronics',
    merchant: 'Northwind Audio',
    originalPriceInCents: 10_000,
    salePriceInCents: 8_000, // 20 percent off
    isFeatured: true,
  },
  {
    title: 'Organic cotton T-shirt, sample deal',
    description: 'A heavy jersey T-shirt. A sample to see what a deal looks like.',
    kind: 'shirt',
    category: 'Fashion',
    merchant: 'Plainweave Atelier',
    originalPriceInCents: 3_000,
    salePriceInCents: 1_800, // 40 percent off
    isFeatured: false,
  },
] as const;
const sevenDays = 7 * 24 * 60 * 60_000;

/** The small seeder of the back office: 6 categories, 3 merchants, 2 deals, on an empty site only. */
export async function seedSample(
  db: Db,
  /** `record` writes down that it was done, in the same transaction. */
  options: Partial<SeedOptions> & { record?: (tx: Tx) => Promise<void> } = {},
): Promise<{ success: boolean; added: boolean; message: string }> {
  const pictures = await drawSamplePictures(options.imagesDir);
  return db.transaction().execute(async (tx) => {
    // Two clicks at once must not both find an empty site; adding a category waits, reading does not.
    await sql`lock table categories in share row exclusive mode`.execute(tx);
    const any = await tx.selectFrom('categories').select('id').limit(1).executeTakeFirst();
    if (any) return { success: true, added: false, message: 'Data already exists' };
    await insertSample(tx, pictures, options.now ?? new Date());
    await options.record?.(tx);
    return {
      success: true,
      added: true,
      message: `Added ${sampleCategories.length} categories, ${sampleMerchants.length} merchants and ${sampleDeals.length} deals`,
    };
  });
}

interface SamplePictures {
  bySlug: ReadonlyMap<string, string>;
  logos: ReadonlyMap<string, string>;
}

async function drawSamplePictures(imagesDir: string | undefined): Promise<SamplePictures> {
  if (!imagesDir) return { bySlug: new Map(), logos: new Map() };
  return {
    bySlug: await writeDemoPictures(
      imagesDir,
      sampleDeals.map(({ title, kind }) => ({ slug: demoSlug(title), kind })),
    ),
    logos: await writeDemoLogos(
      imagesDir,
      sampleMerchants.map(({ name }) => name),
    ),
  };
}

async function insertSample(tx: Tx, pictures: SamplePictures, now: Date): Promise<void> {
  const categories = await tx
    .insertInto('categories')
    .values(
      sampleCategories.map(({ name, icon, description }) =>
        aCategory({ name, slug: demoSlug(name), icon, description, is_demo: true }),
      ),
    )
    .returning(['id', 'name'])
    .execute();
  const merchants = await tx
    .insertInto('merchants')
    .values(
      sampleMerchants.map((merchant) =>
        aMerchant({
          name: merchant.name,
          slug: demoSlug(merchant.name),
          description: merchant.description,
          website_url: `https://${merchant.host}`,
          logo_url: pictures.logos.get(merchant.name) ?? null,
          is_featured: merchant.isFeatured,
          free_shipping_over: merchant.freeShippingOver,
          is_demo: true,
        }),
      ),
    )
    .onConflict((conflict) =>
      conflict.column('slug').doUpdateSet((row) => ({ name: row.ref('merchants.name') })),
    )
    .returning(['id', 'name', 'slug'])
    .execute();

  const rows = sampleDeals.map((deal) => {
    const slug = demoSlug(deal.title);
    return aDeal({
      title: deal.title,
      slug,
      description: deal.description,
      image_url: pictures.bySlug.get(slug) ?? null,
      sale_price: deal.salePriceInCents,
      original_price: deal.originalPriceInCents,
      deal_url: `https://${demoSlug(deal.merchant)}.example/p/${slug}`,
      expires_at: new Date(now.getTime() + sevenDays),
      is_featured: deal.isFeatured,
      is_demo: true,
      category_id: idOf(categories, ({ name }) => name === deal.category),
      merchant_id: idOf(merchants, ({ slug: merchant }) => merchant === demoSlug(deal.merchant)),
    });
  });
  // Their source is the administrator who asked for them, so the log takes their first price by itself.
  await tx.insertInto('deals').values(rows).execute();
}

function idOf<Row extends { id: number }>(rows: Row[], matches: (row: Row) => boolean): number {
  const row = rows.find(matches);
  if (!row) throw new Error('A sample deal names a category or merchant that was not added');
  return row.id;
}

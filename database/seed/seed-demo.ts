import { sql, type Insertable } from 'kysely';
import { aBlogPost } from '#database/factories/a-blog-post.ts';
import { aCategory } from '#database/factories/a-category.ts';
import { aDeal, type NewDeal } from '#database/factories/a-deal.ts';
import { aMerchant } from '#database/factories/a-merchant.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { demoCatalog, type DemoDeal } from './demo-catalog.ts';
import { demoPosts, postHtml, readTimeOf } from './demo-posts.ts';
import { demoCategories, demoMerchants } from './demo-shops.ts';
import { demoSlug } from './demo-slug.ts';
import { writeDemoLogos, writeDemoPictures } from './write-demo-pictures.ts';

export interface SeedOptions {
  now: Date;
  /** The folder behind `/media/`; without it the demo shop has no pictures. */
  imagesDir?: string;
}

export interface SeededCounts {
  categories: number;
  merchants: number;
  deals: number;
  posts: number;
}

/** Addresses of pictures by slug and of logos by merchant name. */
interface Pictures {
  bySlug: ReadonlyMap<string, string>;
  logos: ReadonlyMap<string, string>;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Fills the shop with the demo catalog and answers how many rows it added. What has the slug of a demo
 * row already is left as it is, so that seeding twice adds nothing.
 */
export async function seedDemo(db: Db, options: SeedOptions): Promise<SeededCounts> {
  const catalog = demoCatalog();
  const pictures = await drawPictures(catalog, options.imagesDir);
  return db.transaction().execute(async (tx) => {
    const categories = await insertCategories(tx, options.now);
    const merchants = await insertMerchants(tx, pictures, options.now);
    const deals = await insertDeals(tx, catalog, pictures, options.now);
    const posts = await insertPosts(tx, pictures, options.now);
    return { categories, merchants, deals, posts };
  });
}

async function drawPictures(catalog: DemoDeal[], imagesDir: string | undefined): Promise<Pictures> {
  if (!imagesDir) return { bySlug: new Map(), logos: new Map() };
  const posts = demoPosts.map(({ title, kind }) => ({ slug: demoSlug(title), kind }));
  const deals = catalog.filter((deal) => deal.hasPicture);
  return {
    bySlug: await writeDemoPictures(imagesDir, [...deals, ...posts]),
    logos: await writeDemoLogos(
      imagesDir,
      demoMerchants.map(({ name }) => name),
    ),
  };
}

async function insertCategories(tx: Tx, now: Date): Promise<number> {
  const rows = demoCategories.map(({ name, icon, description }) =>
    aCategory({
      name,
      slug: demoSlug(name),
      icon,
      description,
      is_demo: true,
      created_at: daysBefore(now, 90),
    }),
  );
  const inserted = await tx
    .insertInto('categories')
    .values(rows)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .execute();
  return inserted.length;
}

async function insertMerchants(tx: Tx, pictures: Pictures, now: Date): Promise<number> {
  const rows = demoMerchants.map((merchant) =>
    aMerchant({
      name: merchant.name,
      slug: demoSlug(merchant.name),
      description: merchant.description,
      website_url: `https://${merchant.host}`,
      logo_url: pictures.logos.get(merchant.name) ?? null,
      is_featured: merchant.isFeatured,
      affiliate_template: merchant.hasAffiliateProgramme
        ? 'https://go.affiliates.example/?u={url}&sub={sub_id}'
        : null,
      affiliate_sub_id: merchant.hasAffiliateProgramme ? 'deal-hub' : null,
      free_shipping_over: merchant.freeShippingOver,
      is_demo: true,
      created_at: daysBefore(now, 90),
    }),
  );
  const inserted = await tx
    .insertInto('merchants')
    .values(rows)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .execute();
  return inserted.length;
}

async function insertDeals(
  tx: Tx,
  catalog: DemoDeal[],
  pictures: Pictures,
  now: Date,
): Promise<number> {
  const categories = await tx.selectFrom('categories').select(['id', 'slug']).execute();
  const merchants = await tx.selectFrom('merchants').select(['id', 'slug']).execute();
  const categoryIds = new Map(categories.map(({ id, slug }) => [slug, id]));
  const merchantIds = new Map(merchants.map(({ id, slug }) => [slug, id]));

  const rows = catalog.map((deal) =>
    dealRow(deal, now, {
      category_id: known(categoryIds, demoSlug(deal.category)),
      merchant_id: known(merchantIds, demoSlug(deal.merchant.name)),
      image_url: pictures.bySlug.get(deal.slug) ?? null,
    }),
  );
  const inserted = await tx
    .insertInto('deals')
    .values(rows)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning(['id', 'slug'])
    .execute();
  if (inserted.length > 0) await insertHistory(tx, catalog, inserted, now);
  return inserted.length;
}

function dealRow(
  deal: DemoDeal,
  now: Date,
  places: Pick<NewDeal, 'category_id' | 'merchant_id' | 'image_url'>,
): NewDeal {
  const priceSince = daysBefore(now, deal.steps.at(-1)?.daysAgo ?? 0);
  return aDeal({
    ...places,
    title: deal.title,
    slug: deal.slug,
    description: deal.description,
    sale_price: deal.salePriceInCents,
    original_price: deal.originalPriceInCents,
    coupon_code: deal.couponCode,
    expires_at:
      deal.expiresInHours === null ? null : new Date(now.getTime() + deal.expiresInHours * hour),
    deal_url: deal.dealUrl,
    status: deal.condition ? 'used' : 'new',
    condition: deal.condition,
    seller_type: deal.sellerType,
    availability: deal.availability,
    is_featured: deal.isFeatured,
    price_source: 'demo',
    price_since: priceSince,
    price_checked_at: new Date(now.getTime() - (5 + (deal.slug.length % 50)) * minute),
    is_demo: true,
    // A product is watched for a while; it becomes a deal when the present price begins.
    created_at: priceSince,
    updated_at: priceSince,
  });
}

async function insertHistory(
  tx: Tx,
  catalog: DemoDeal[],
  inserted: { id: number; slug: string }[],
  now: Date,
): Promise<void> {
  const ids = new Map(inserted.map(({ id, slug }) => [slug, id]));
  const rows = catalog.flatMap((deal) => {
    const id = ids.get(deal.slug);
    return id === undefined ? [] : historyRows(deal, id, now);
  });
  await tx.insertInto('price_log').values(rows).execute();
  await sql`update deals set low_30_before = lowest_price_before(id, price_since)
    where id = any(${[...ids.values()]}::bigint[])`.execute(tx);
}

function historyRows(
  deal: DemoDeal,
  dealId: number,
  now: Date,
): Insertable<Database['price_log']>[] {
  const last = deal.steps.length - 1;
  const rows = deal.steps.map((step, index) => ({
    deal_id: dealId,
    at: daysBefore(now, step.daysAgo),
    sale_price: step.salePriceInCents,
    // The claim came with the present price; before, nobody spoke of a reduction.
    original_price: index === last ? deal.originalPriceInCents : null,
    availability: 'in_stock' as const,
    source: 'demo' as const,
  }));
  const present = rows[last];
  if (!present || deal.availability === 'in_stock') return rows;
  if (deal.availability === 'unknown') {
    return [...rows.slice(0, last), { ...present, availability: deal.availability }];
  }
  // It was on sale at this price for half of the time, then it ran out.
  const soldOutDaysAgo = (deal.steps[last]?.daysAgo ?? 0) / 2;
  return [
    ...rows,
    { ...present, at: daysBefore(now, soldOutDaysAgo), availability: deal.availability },
  ];
}

async function insertPosts(tx: Tx, pictures: Pictures, now: Date): Promise<number> {
  const rows = demoPosts.map((post, index) => {
    const slug = demoSlug(post.title);
    const publishedAt = daysBefore(now, 1 + index * 5.2);
    return aBlogPost({
      title: post.title,
      slug,
      excerpt: post.excerpt,
      content: postHtml(post),
      featured_image_url: pictures.bySlug.get(slug) ?? null,
      is_featured: post.isFeatured,
      tags: [...post.tags],
      read_time: readTimeOf(post),
      published_at: publishedAt,
      created_at: publishedAt,
      is_demo: true,
    });
  });
  const inserted = await tx
    .insertInto('blog_posts')
    .values(rows)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .execute();
  return inserted.length;
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * day);
}

function known(ids: ReadonlyMap<string, number>, slug: string): number {
  const id = ids.get(slug);
  if (id === undefined) throw new Error(`The demo shop has no row "${slug}"`);
  return id;
}

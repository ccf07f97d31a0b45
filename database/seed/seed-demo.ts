import { sql, type Insertable } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import type { MediaStore } from '#database/media-store.ts';
import type { Database } from '#database/schema.ts';
import {
  addNewRows,
  categoryRow,
  type DemoPictures,
  drawDemoPictures,
  merchantRow,
  readPlaces,
} from './add-demo-rows.ts';
import { type DemoDeal, isWatchedForAYear } from './demo-catalog.ts';
import { demoDeals } from './demo-offers.ts';
import { demoPosts, postHtml, readTimeOf } from './demo-posts.ts';
import { demoCategories, demoMerchants } from './demo-shops.ts';
import { demoAuthor, demoSettings } from './demo-settings.ts';
import { slugify } from '#database/slug.ts';

export interface SeedOptions {
  now: Date;
  /** The picture store behind `/media/`. Without it, the demo shop has no pictures. */
  media?: MediaStore;
}

export interface SeededCounts {
  categories: number;
  merchants: number;
  deals: number;
  posts: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const affiliate = {
  affiliate_template: 'https://go.affiliates.example/?u={url}&sub={sub_id}',
  affiliate_sub_id: 'deal-hub',
};

/**
 * Fills the shop with the demo catalog and returns the number of added rows. Rows whose slug
 * already exists are not changed, so seeding twice adds nothing.
 */
export async function seedDemo(db: Db, { now, media }: SeedOptions): Promise<SeededCounts> {
  const catalog = demoDeals();
  const posts = demoPosts.map((post) => ({ ...post, slug: slugify(post.title) }));
  const pictured = catalog.filter(
    ({ hasPicture, slug, pictureSlug }) => hasPicture && slug === pictureSlug,
  );
  const wishes = [...pictured, ...posts];
  const pictures = await drawDemoPictures(media, wishes, demoMerchants);
  const created_at = daysBefore(now, 90);
  const categoryRows = demoCategories.map((one) => ({ ...categoryRow(one), created_at }));
  const merchantRows = demoMerchants.map((merchant) => ({
    ...merchantRow(merchant, pictures),
    ...(merchant.hasAffiliateProgramme ? affiliate : {}),
    created_at,
  }));
  const postRows = posts.map((post, index) => {
    const publishedAt = daysBefore(now, 1 + index * 5.2);
    return {
      title: post.title,
      slug: post.slug,
      excerpt: post.excerpt,
      content: postHtml(post),
      featured_image_url: pictures.bySlug.get(post.slug) ?? null,
      is_published: true,
      is_featured: post.isFeatured,
      tags: post.tags,
      read_time: readTimeOf(post),
      published_at: publishedAt,
      created_at: publishedAt,
      is_demo: true,
    };
  });
  return db.transaction().execute(async (tx) => {
    await addDemoSettings(tx);
    return {
      categories: (await addNewRows(tx, 'categories', categoryRows)).length,
      merchants: (await addNewRows(tx, 'merchants', merchantRows)).length,
      deals: await addDeals(tx, catalog, pictures, now),
      posts: (await addNewRows(tx, 'blog_posts', postRows)).length,
    };
  });
}

/** Adds facts about the demo shop, unless the owner has entered their own. */
export async function addDemoSettings(db: Db): Promise<void> {
  const rows = Object.entries(demoSettings).map(([name, value]) => ({
    name,
    value: JSON.stringify(value),
    updated_by: demoAuthor,
  }));
  await db
    .insertInto('site_settings')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function addDeals(
  tx: Tx,
  catalog: DemoDeal[],
  pictures: DemoPictures,
  now: Date,
): Promise<number> {
  const placesOf = await readPlaces(tx);
  const rows = catalog.map((deal) => ({
    ...placesOf(deal.category, deal.merchant.name),
    ...dealRow(deal, now),
    image_url: pictures.bySlug.get(deal.pictureSlug) ?? null,
  }));
  const added = await addNewRows(tx, 'deals', rows);
  if (added.length === 0) return 0;
  const ids = new Map(added.map(({ id, slug }) => [slug, id]));
  const history = catalog.flatMap((deal) => {
    const id = ids.get(deal.slug);
    return id === undefined ? [] : historyRows(deal, id, now);
  });
  await tx.insertInto('price_log').values(history).execute();
  await addFeedDays(tx, catalog.filter(isWatchedForAYear), now);
  await sql`update deals set low_30_before = lowest_price_before(id, price_since)
    where id = any(${[...ids.values()]}::bigint[])`.execute(tx);
  await sql`select check_reductions(${[...ids.values()]}::bigint[], '-infinity')`.execute(tx);
  // The discount check samples the missing days itself.
  await sql`select sample_store_lows(${[...ids.values()]}::bigint[], array(
      select day::date from generate_series(lows_done - 330, lows_done, interval '1 day') day where extract(day from day) in (5, 15, 25)))
    from discount_check_pass where lows_done is not null`.execute(tx);
  await sql`select count_store_checks(array(select id from merchants where is_demo))`.execute(tx);
  return added.length;
}

/** Adds daily feed runs for the stores that have a year of prices. */
async function addFeedDays(tx: Tx, deals: DemoDeal[], now: Date): Promise<void> {
  const names = [...new Set(deals.map(({ merchant }) => slugify(merchant.name)))];
  await sql`insert into store_days (merchant_id, day, is_read)
    select m.id, day::date, true
      from merchants m, generate_series(${now}::date - 400, ${now}::date, interval '1 day') day
     where m.is_demo and m.slug = any(${names})
    on conflict do nothing`.execute(tx);
}

function dealRow(deal: DemoDeal, now: Date) {
  const priceSince = daysBefore(now, deal.steps.at(-1)?.daysAgo ?? 0);
  return {
    title: deal.title,
    slug: deal.slug,
    description: deal.description,
    sale_price: deal.salePriceInCents,
    original_price: deal.originalPriceInCents,
    shipping_cost: deal.shippingInCents,
    gtin: deal.gtin,
    net_contents: deal.netContents,
    brand: deal.brand,
    coupon_code: deal.couponCode,
    expires_at:
      deal.expiresInHours === null ? null : new Date(now.getTime() + deal.expiresInHours * hour),
    deal_url: deal.dealUrl,
    status: deal.condition ? ('used' as const) : ('new' as const),
    condition: deal.condition,
    seller_type: deal.sellerType,
    availability: deal.availability,
    is_featured: deal.isFeatured,
    price_source: 'demo' as const,
    price_since: priceSince,
    price_checked_at: new Date(now.getTime() - (5 + (deal.slug.length % 50)) * minute),
    is_demo: true,
    // The deal is created at its current price, after the product's earlier prices were logged.
    created_at: priceSince,
    updated_at: priceSince,
  };
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
    // The claim was made with the current price. No discount was announced in the 90 days before.
    original_price:
      index === last ? deal.originalPriceInCents : (step.originalPriceInCents ?? null),
    availability: 'in_stock' as const,
    source: 'demo' as const,
  }));
  const present = rows[last];
  if (!present || deal.availability === 'in_stock') return rows;
  const told = { ...present, availability: deal.availability };
  if (deal.availability === 'unknown') return [...rows.slice(0, last), told];
  // The deal was available at this price for half of the time, and then sold out.
  return [...rows, { ...told, at: daysBefore(now, (deal.steps[last]?.daysAgo ?? 0) / 2) }];
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * day);
}

import { randomBytes } from 'node:crypto';
import type { Insertable, Selectable } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { aBlogPost, type NewBlogPost } from './a-blog-post.ts';
import { aCategory, type NewCategory } from './a-category.ts';
import { aDeal, type NewDeal } from './a-deal.ts';
import { aMerchant, type NewMerchant } from './a-merchant.ts';
import { aUser, type NewUser } from './a-user.ts';

type Row<Table extends keyof Database> = Selectable<Database[Table]>;

export function insertCategory(
  db: Db,
  overrides: Partial<NewCategory> = {},
): Promise<Row<'categories'>> {
  return db
    .insertInto('categories')
    .values(aCategory(overrides))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function insertMerchant(
  db: Db,
  overrides: Partial<NewMerchant> = {},
): Promise<Row<'merchants'>> {
  return db
    .insertInto('merchants')
    .values(aMerchant(overrides))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Inserts a deal, and its category and merchant unless the overrides name them. */
export async function insertDeal(db: Db, overrides: Partial<NewDeal> = {}): Promise<Row<'deals'>> {
  const category_id = overrides.category_id ?? (await insertCategory(db)).id;
  const merchant_id = overrides.merchant_id ?? (await insertMerchant(db)).id;
  return db
    .insertInto('deals')
    .values(aDeal({ ...overrides, category_id, merchant_id }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Inserts a product with the GTIN of its offers. */
export async function insertProduct(
  db: Db,
  {
    gtin = '4006381333931',
    ...overrides
  }: Partial<Insertable<Database['products']>> & { gtin?: string } = {},
): Promise<Row<'products'> & { gtin: string }> {
  const product = await db
    .insertInto('products')
    .values({ slug: 'pen', title: 'Pen', ...overrides })
    .returningAll()
    .executeTakeFirstOrThrow();
  await db.insertInto('product_gtins').values({ gtin, product_id: product.id }).execute();
  return { ...product, gtin };
}

/** Inserts many plain deals for one category and merchant, in one statement. Returns their ids. */
export async function insertDeals(db: Db, count: number): Promise<number[]> {
  const category_id = (await insertCategory(db)).id;
  const merchant_id = (await insertMerchant(db)).id;
  const deals = Array.from({ length: count }, (_, n) => ({
    slug: `plain-${merchant_id}-${n}`,
    title: `Plain ${n}`,
    sale_price: 5_000,
    original_price: 9_000,
    deal_url: 'https://shop.example/',
    category_id,
    merchant_id,
  }));
  const rows = await db.insertInto('deals').values(deals).returning('id').execute();
  return rows.map(({ id }) => id);
}

/** Inserts a source of uploaded feeds, and its merchant unless the overrides name one. */
export async function insertFeedSource(
  db: Db,
  overrides: Partial<Insertable<Database['feed_sources']>> = {},
): Promise<Row<'feed_sources'>> {
  const merchant_id = overrides.merchant_id ?? (await insertMerchant(db)).id;
  return db
    .insertInto('feed_sources')
    .values({ name: 'Feed', kind: 'upload', location: '', ...overrides, merchant_id })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function insertUser(db: Db, overrides: Partial<NewUser> = {}): Promise<Row<'users'>> {
  return db.insertInto('users').values(aUser(overrides)).returningAll().executeTakeFirstOrThrow();
}

export function insertBlogPost(
  db: Db,
  overrides: Partial<NewBlogPost> = {},
): Promise<Row<'blog_posts'>> {
  return db
    .insertInto('blog_posts')
    .values(aBlogPost(overrides))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Inserts a library picture without its files. */
export function insertLibraryPicture(
  db: Db,
  overrides: Partial<Insertable<Database['library_pictures']>> = {},
): Promise<Row<'library_pictures'>> {
  const hash = overrides.hash ?? randomBytes(10).toString('hex');
  return db
    .insertInto('library_pictures')
    .values({
      hash,
      original_hash: hash,
      name: 'lamp.jpg',
      address: `/media/library/${hash}-640.webp`,
      width: 640,
      height: 480,
      bytes: 40_000,
      files: [`library/${hash}-640.webp`],
      created_by: null,
      ...overrides,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

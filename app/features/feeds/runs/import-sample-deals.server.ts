import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import { findMerchantId, insertMerchant } from './import-queries.server.ts';
import { findFreeDealSlug } from '#app/features/deals/find-free-deal-slug.server.ts';
import { slugify } from '#app/platform/slug.ts';
import { writeDemoLogos, writeDemoPictures } from '#database/seed/write-demo-pictures.ts';
import { sampleImportMessages } from './import-messages.ts';
import { type SampleDeal, sampleDeals } from './sample-deals.ts';

export interface SampleImportResult {
  /** How many of the six are in, new or brought up to date. */
  imported: number;
  errors: string[];
}

const featuredChance = 0.3;
const day = 86_400_000;

/**
 * The six built-in deals (back-office, section 7, "Import routine"): each for itself, so that one that fails leaves the
 * others. A merchant is made when it is missing, a category is not. Pictures and logos are drawn here (P45).
 */
export async function importSampleDeals(
  db: Db,
  options: { imagesDir: string; now: Date; random?: () => number },
): Promise<SampleImportResult> {
  const pictures = await writeDemoPictures(
    options.imagesDir,
    sampleDeals.map(({ id, kind }) => ({ slug: id, kind })),
  );
  const names = [...new Set(sampleDeals.map((deal) => deal.merchantName))];
  const logos = await writeDemoLogos(options.imagesDir, names);
  const result: SampleImportResult = { imported: 0, errors: [] };
  for (const deal of sampleDeals) {
    const facts = {
      picture: pictures.get(deal.id) ?? null,
      logo: logos.get(deal.merchantName) ?? null,
      expiresAt: new Date(options.now.getTime() + deal.expiresInDays * day),
      isFeatured: (options.random ?? Math.random)() < featuredChance,
    };
    try {
      const error = await db.transaction().execute((tx) => importOne(tx, deal, facts));
      if (error === null) result.imported++;
      else result.errors.push(error);
    } catch (error) {
      result.errors.push(sampleImportMessages.unexpected(deal.title, messageOf(error)));
    }
  }
  return result;
}

interface SampleFacts {
  picture: string | null;
  logo: string | null;
  expiresAt: Date;
  isFeatured: boolean;
}

/** The sentence that says why not, or null. */
async function importOne(tx: Tx, deal: SampleDeal, facts: SampleFacts): Promise<string | null> {
  const merchant = await attempt(tx, () => findOrMakeMerchant(tx, deal.merchantName, facts.logo));
  if (!merchant.ok) return sampleImportMessages.merchantFailed(deal.merchantName, merchant.message);
  const category = await tx
    .selectFrom('categories')
    .select('id')
    .where(sql`lower(name)`, '=', deal.categoryName.toLowerCase())
    .executeTakeFirst();
  if (!category) return sampleImportMessages.categoryMissing(deal.categoryName, deal.title);
  const shop = `https://${slugify(deal.merchantName)}.example`;
  const fields = {
    title: deal.title,
    description: deal.description,
    sale_price: deal.price,
    original_price: deal.originalPrice,
    image_url: facts.picture,
    deal_url: `${shop}/p/${slugify(deal.title)}`,
    coupon_code: deal.couponCode ?? null,
    expires_at: facts.expiresAt,
  };
  const known = await tx
    .selectFrom('deals')
    .select('id')
    .where('merchant_id', '=', merchant.value)
    .where('external_id', '=', deal.id)
    .executeTakeFirst();
  if (known) {
    const updated = await attempt(tx, () =>
      tx
        .updateTable('deals')
        .set({ ...fields, version: sql`version + 1`, updated_at: sql<Date>`now()` })
        .where('id', '=', known.id)
        .execute(),
    );
    return updated.ok ? null : sampleImportMessages.updateFailed(deal.title, updated.message);
  }
  const created = await attempt(tx, async () =>
    tx
      .insertInto('deals')
      .values({
        ...fields,
        slug: await findFreeDealSlug(tx, { slug: '', title: deal.title }),
        external_id: deal.id,
        merchant_id: merchant.value,
        category_id: category.id,
        seller_type: 'third_party',
        availability: 'in_stock',
        price_source: 'import',
        is_featured: facts.isFeatured,
      })
      .execute(),
  );
  return created.ok ? null : sampleImportMessages.createFailed(deal.title, created.message);
}

async function findOrMakeMerchant(tx: Tx, name: string, logo: string | null): Promise<number> {
  const known = await findMerchantId(tx, name);
  if (known !== null) return known;
  const id = await insertMerchant(tx, name);
  await tx
    .updateTable('merchants')
    .set({ logo_url: logo, website_url: `https://${slugify(name)}.example` })
    .where('id', '=', id)
    .execute();
  return id;
}

type Attempt<T> = { ok: true; value: T } | { ok: false; message: string };

/** The transaction stays usable when the database refuses. */
async function attempt<T>(tx: Tx, work: () => Promise<T>): Promise<Attempt<T>> {
  await sql`savepoint sample`.execute(tx);
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    await sql`rollback to savepoint sample`.execute(tx);
    return { ok: false, message: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}

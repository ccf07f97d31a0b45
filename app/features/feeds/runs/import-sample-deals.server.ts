import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import { errorMessage } from '#database/error-code.ts';
import type { MediaStore } from '#database/media-store.ts';
import { findMerchantId, insertMerchant } from './import-queries.server.ts';
import { findFreeDealSlug } from '#app/features/deals/find-free-deal-slug.server.ts';
import { slugify } from '#database/slug.ts';
import { writeDemoLogos, writeDemoPictures } from '#database/seed/write-demo-pictures.ts';
import { sampleImportMessages } from './import-messages.ts';
import { type SampleDeal, sampleDeals } from './sample-deals.ts';

export interface SampleImportResult {
  /** The number of the six deals that were imported, whether new or updated. */
  imported: number;
  errors: string[];
}

const featuredChance = 0.3;
const day = 86_400_000;

/**
 * Imports the six built-in deals, each separately, so that a failed one does not affect the others.
 * Missing merchants are created, but missing categories are not. Pictures and logos are drawn here.
 */
export async function importSampleDeals(
  db: Db,
  options: { media: MediaStore; now: Date; random?: () => number },
): Promise<SampleImportResult> {
  const pictures = await writeDemoPictures(
    options.media,
    sampleDeals.map(({ id, kind }) => ({ slug: id, kind })),
  );
  const names = [...new Set(sampleDeals.map((deal) => deal.merchantName))];
  const logos = await writeDemoLogos(options.media, names);
  const result: SampleImportResult = { imported: 0, errors: [] };
  for (const deal of sampleDeals) {
    const facts = {
      picture: pictures.get(deal.id) ?? null,
      logo: logos.get(deal.merchantName) ?? null,
      expiresAt: new Date(options.now.getTime() + deal.expiresInDays * day),
      isFeatured: (options.random ?? Math.random)() < featuredChance,
    };
    try {
      await db.transaction().execute((tx) => importOne(tx, deal, facts));
      result.imported++;
    } catch (error) {
      const words = errorMessage(error);
      const isSaid = error instanceof SampleRefused;
      result.errors.push(isSaid ? words : sampleImportMessages.unexpected(deal.title, words));
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

/** The error's message is a sentence that gives the reason. */
class SampleRefused extends Error {}

async function importOne(tx: Tx, deal: SampleDeal, facts: SampleFacts): Promise<void> {
  const { title, merchantName, categoryName } = deal;
  const merchantId = await findOrMakeMerchant(tx, merchantName, facts.logo).catch(
    refuse((message) => sampleImportMessages.merchantFailed(merchantName, message)),
  );
  const category = await tx
    .selectFrom('categories')
    .select('id')
    .where(sql`lower(name)`, '=', categoryName.toLowerCase())
    .executeTakeFirst();
  if (!category) throw new SampleRefused(sampleImportMessages.categoryMissing(categoryName, title));
  const fields = {
    title,
    description: deal.description,
    sale_price: deal.price,
    original_price: deal.originalPrice,
    image_url: facts.picture,
    deal_url: `https://${slugify(merchantName)}.example/p/${slugify(title)}`,
    coupon_code: deal.couponCode ?? null,
    expires_at: facts.expiresAt,
  };
  const { numUpdatedRows } = await tx
    .updateTable('deals')
    .set({ ...fields, version: sql`version + 1`, updated_at: sql<Date>`now()` })
    .where('merchant_id', '=', merchantId)
    .where('external_id', '=', deal.id)
    .executeTakeFirst()
    .catch(refuse((message) => sampleImportMessages.updateFailed(title, message)));
  if (numUpdatedRows > 0n) return;
  await tx
    .insertInto('deals')
    .values({
      ...fields,
      slug: await findFreeDealSlug(tx, { slug: '', title }),
      external_id: deal.id,
      merchant_id: merchantId,
      category_id: category.id,
      seller_type: 'third_party',
      availability: 'in_stock',
      price_source: 'import',
      is_featured: facts.isFeatured,
    })
    .execute()
    .catch(refuse((message) => sampleImportMessages.createFailed(title, message)));
}

async function findOrMakeMerchant(tx: Tx, name: string, logo: string | null): Promise<number> {
  const known = await findMerchantId(tx, name);
  if (known !== null) return known;
  const id = await insertMerchant(tx, name);
  await tx
    .updateTable('merchants')
    .set({
      description: `Official ${name} store`,
      logo_url: logo,
      website_url: `https://${slugify(name)}.example`,
    })
    .where('id', '=', id)
    .execute();
  return id;
}

function refuse(say: (message: string) => string) {
  return (cause: unknown): never => {
    throw new SampleRefused(say(errorMessage(cause)), { cause });
  };
}

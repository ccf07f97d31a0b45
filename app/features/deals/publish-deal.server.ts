import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { refuseKnown } from '#database/refuse-known.ts';
import type { PriceSource } from '#database/schema/catalog-tables.ts';
import { columnsForStaff, type EditableDeal } from './deal-columns.ts';
import type { DealInput } from './deal-input.ts';
import { findFreeDealSlug } from './find-free-deal-slug.server.ts';
import { correctPrices } from './void-prices.server.ts';

type Refusal = 'no-such-merchant' | 'no-such-category' | 'slug-taken';
export type CreateDealResult = { ok: true; deal: EditableDeal } | { ok: false; reason: Refusal };
export type UpdateDealResult =
  | CreateDealResult
  | { ok: false; reason: 'not-found' }
  | { ok: false; reason: 'changed-meanwhile'; current: EditableDeal };

/**
 * Publishes a deal. Its triggers (docs/triggers.md) start the price log, and write search texts and
 * webhook events.
 */
export async function createDeal(
  db: Db,
  input: DealInput,
  { source }: { source: PriceSource },
): Promise<CreateDealResult> {
  return refuseKnown(db, refusals, async (tx): Promise<CreateDealResult> => {
    const slug = await findFreeDealSlug(tx, input);
    const deal = await tx
      .insertInto('deals')
      .values({ ...input, slug, price_source: source })
      .returning(columnsForStaff())
      .executeTakeFirstOrThrow();
    return { ok: true, deal };
  });
}

/**
 * Updates a deal whose version is `expectedVersion`, so that no other save is overwritten. A blank
 * slug keeps the current one. If `actor` typed the price, a price typed less than an hour ago is
 * voided as a mistake. Triggers (docs/triggers.md) log a new price, fire alerts, keep the old slug
 * and update search texts.
 */
export async function updateDeal(
  db: Db,
  id: number,
  input: DealInput,
  {
    source,
    expectedVersion,
    actor,
    isConfirmed = false,
  }: { source: PriceSource; expectedVersion: number; actor?: string; isConfirmed?: boolean },
): Promise<UpdateDealResult> {
  return refuseKnown(db, refusals, async (tx): Promise<UpdateDealResult> => {
    const current = await selectDeal(tx, id).forUpdate().executeTakeFirst();
    if (!current) return { ok: false, reason: 'not-found' };
    if (current.version !== expectedVersion) {
      return { ok: false, reason: 'changed-meanwhile', current };
    }
    const isSlugKept = input.slug === '' || input.slug === current.slug;
    const slug = isSlugKept ? current.slug : await findFreeDealSlug(tx, input, id);
    const isChanged = !isSameOffer(input, current);
    // A typed price does not count as checked: a feed or API client must have seen it, or a person
    // must confirm it.
    const hasSeen = isConfirmed || (isChanged && source !== 'admin');
    const update = tx
      .updateTable('deals')
      .set({
        ...input,
        ...(isChanged ? { price_source: source } : {}),
        ...(hasSeen ? { price_checked_at: sql<Date>`now()` } : {}),
        slug,
        waits_for_price: false,
        updated_at: sql<Date>`now()`,
        version: expectedVersion + 1,
      })
      .where('id', '=', id)
      .returning('id');
    if (actor === undefined || input.sale_price === current.sale_price) await update.execute();
    else await correctPrices(tx, { actor, ids: [id] }, () => update.execute());
    return { ok: true, deal: await selectDeal(tx, id).executeTakeFirstOrThrow() };
  });
}

function isSameOffer(input: DealInput, current: EditableDeal): boolean {
  return (
    input.sale_price === current.sale_price &&
    input.currency === current.currency &&
    input.original_price === current.original_price &&
    input.availability === current.availability
  );
}

const refusals: Record<string, Refusal> = {
  deals_slug_key: 'slug-taken',
  deals_merchant_id_fkey: 'no-such-merchant',
  deals_category_id_fkey: 'no-such-category',
};

/** Returns a deal in any state, or `null`. */
export async function findEditableDeal(db: Db, id: number): Promise<EditableDeal | null> {
  return (await selectDeal(db, id).executeTakeFirst()) ?? null;
}

function selectDeal(db: Db, id: number) {
  return db.selectFrom('deals').select(columnsForStaff()).where('id', '=', id);
}

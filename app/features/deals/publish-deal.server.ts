import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { refuseKnown } from '#database/refuse-known.ts';
import type { PriceSource } from '#database/schema/catalog-tables.ts';
import { columnsForStaff, type EditableDeal } from './deal-columns.ts';
import type { DealInput } from './deal-input.ts';
import { findFreeDealSlug } from './find-free-deal-slug.server.ts';

type Refusal = 'no-such-merchant' | 'no-such-category' | 'slug-taken';
export type CreateDealResult = { ok: true; deal: EditableDeal } | { ok: false; reason: Refusal };
export type UpdateDealResult =
  | CreateDealResult
  | { ok: false; reason: 'not-found' }
  | { ok: false; reason: 'changed-meanwhile'; current: EditableDeal };

/**
 * Publishes a deal. In the same statement the database writes the first line of its price log and recounts the lists.
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
 * Changes a deal that is still at `expectedVersion`, so that nobody's save is overwritten (R47). A blank slug keeps the
 * present one. Only a change of the offer itself counts as a check of its price.
 */
export async function updateDeal(
  db: Db,
  id: number,
  input: DealInput,
  { source, expectedVersion }: { source: PriceSource; expectedVersion: number },
): Promise<UpdateDealResult> {
  return refuseKnown(db, refusals, async (tx): Promise<UpdateDealResult> => {
    const current = await selectDeal(tx, id).forUpdate().executeTakeFirst();
    if (!current) return { ok: false, reason: 'not-found' };
    if (current.version !== expectedVersion) {
      return { ok: false, reason: 'changed-meanwhile', current };
    }
    const isSlugKept = input.slug === '' || input.slug === current.slug;
    const slug = isSlugKept ? current.slug : await findFreeDealSlug(tx, input, id);
    const checked = isSameOffer(input, current)
      ? {}
      : { price_source: source, price_checked_at: sql<Date>`now()` };
    const deal = await tx
      .updateTable('deals')
      .set({
        ...input,
        ...checked,
        slug,
        updated_at: sql<Date>`now()`,
        version: expectedVersion + 1,
      })
      .where('id', '=', id)
      .returning(columnsForStaff())
      .executeTakeFirstOrThrow();
    return { ok: true, deal };
  });
}

function isSameOffer(input: DealInput, current: EditableDeal): boolean {
  return (
    input.sale_price === current.sale_price &&
    input.original_price === current.original_price &&
    input.availability === current.availability
  );
}

const refusals: Record<string, Refusal> = {
  deals_slug_key: 'slug-taken',
  deals_merchant_id_fkey: 'no-such-merchant',
  deals_category_id_fkey: 'no-such-category',
};

/** A deal whatever its state, or null. */
export async function findEditableDeal(db: Db, id: number): Promise<EditableDeal | null> {
  return (await selectDeal(db, id).executeTakeFirst()) ?? null;
}

function selectDeal(db: Db, id: number) {
  return db.selectFrom('deals').select(columnsForStaff()).where('id', '=', id);
}

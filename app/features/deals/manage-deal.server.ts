import type { Db } from '#database/connect.ts';
import { changedFields, writeAudit } from '#app/platform/audit/audit.server.ts';
import { pickFields } from '#app/platform/pick-fields.ts';
import { columnsFor } from './deal-columns.ts';
import type { DealInput } from './deal-input.ts';
import {
  createDeal,
  type CreateDealResult,
  findEditableDeal,
  updateDeal,
  type UpdateDealResult,
} from './publish-deal.server.ts';

// Wrappers around publish-deal for the admin, each of which writes an audit entry.

const source = 'admin';

export async function addDeal(db: Db, actor: string, input: DealInput): Promise<CreateDealResult> {
  return db.transaction().execute(async (tx) => {
    const result = await createDeal(tx, input, { source });
    if (result.ok) {
      const { id: entityId, title, slug, sale_price } = result.deal;
      const after = { title, slug, sale_price };
      await writeAudit(tx, { actor, action: 'deal.create', entity: 'deal', entityId, after });
    }
    return result;
  });
}

export async function saveDeal(
  db: Db,
  actor: string,
  id: number,
  input: DealInput,
  { expectedVersion, isConfirmed }: { expectedVersion: number; isConfirmed: boolean },
): Promise<UpdateDealResult> {
  return db.transaction().execute(async (tx) => {
    const before = await findEditableDeal(tx, id);
    const result = await updateDeal(tx, id, input, {
      source,
      expectedVersion,
      actor,
      isConfirmed,
    });
    if (result.ok && before) {
      const { version: _v, updated_at: _u, price_checked_at: _p, ...after } = result.deal;
      await writeAudit(tx, {
        actor,
        action: 'deal.update',
        entity: 'deal',
        entityId: id,
        ...changedFields(before, after),
      });
    }
    return result;
  });
}

const longestTitle = 200;
const copySuffix = ' (copy)';

/** Creates an inactive copy with its own price log. Returns `null` if the deal is gone. */
export async function duplicateDeal(db: Db, actor: string, id: number) {
  return db.transaction().execute(async (tx) => {
    const deal = await findEditableDeal(tx, id);
    if (!deal) return null;
    const title = deal.title.slice(0, longestTitle - copySuffix.length).toWellFormed() + copySuffix;
    const copy = {
      ...pickFields(deal, [...columnsFor('form'), 'currency']),
      title,
      slug: '',
      is_active: false,
    };
    const result = await createDeal(tx, copy, { source });
    if (!result.ok) throw new Error(`A copy of deal ${id} was refused: ${result.reason}`);
    await writeAudit(tx, {
      actor,
      action: 'deal.duplicate',
      entity: 'deal',
      entityId: result.deal.id,
      after: { copy_of: id },
    });
    return result.deal;
  });
}

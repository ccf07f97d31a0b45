import { describe, expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { type DealInput, dealInput } from './deal-input.ts';
import { addDeal, duplicateDeal, saveDeal } from './manage-deal.server.ts';

const database = useTestDatabase();
const actor = 'admin-1';

async function anInput(overrides: Record<string, unknown> = {}): Promise<DealInput> {
  return dealInput('USD').parse({
    title: 'Stand Mixer',
    sale_price: '199.99',
    deal_url: 'https://shop.example/mixer',
    merchant_id: (await insertMerchant(database.db)).id,
    category_id: (await insertCategory(database.db)).id,
    ...overrides,
  });
}

const auditLog = () =>
  database.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'entity_id', 'before', 'after'])
    .orderBy('id')
    .execute();

const once = { expectedVersion: 1, isConfirmed: false };

describe('a deal changed in the admin', () => {
  test('creates and updates a deal, with audit entries for the changes', async () => {
    const input = await anInput();
    const added = await addDeal(database.db, actor, input);
    if (!added.ok) throw new Error(added.reason);
    const { id } = added.deal;
    await saveDeal(database.db, actor, id, { ...input, sale_price: 14_999 }, once);
    expect(await auditLog()).toMatchObject([
      {
        actor,
        action: 'deal.create',
        entity_id: String(id),
        after: { title: 'Stand Mixer', sale_price: 19_999 },
      },
      {
        actor,
        action: 'deal.update',
        entity_id: String(id),
        before: { sale_price: 19_999 },
        after: { sale_price: 14_999 },
      },
    ]);
  });

  // Proves R47: last-write protection
  test('R47: neither changes nor logs a deal when a save conflicts', async () => {
    const input = await anInput();
    const added = await addDeal(database.db, actor, input);
    if (!added.ok) throw new Error(added.reason);
    await saveDeal(database.db, 'admin-2', added.deal.id, { ...input, title: 'Theirs' }, once);
    expect(
      await saveDeal(database.db, actor, added.deal.id, { ...input, title: 'Mine' }, once),
    ).toMatchObject({
      ok: false,
      reason: 'changed-meanwhile',
      current: { title: 'Theirs', version: 2 },
    });
    expect((await auditLog()).map((entry) => entry.actor)).toEqual([actor, 'admin-2']);
  });

  test('duplicates a deal as inactive, with its own URL and price log, and without a source id', async () => {
    const deal = await insertDeal(database.db, {
      title: 'x'.repeat(200),
      slug: 'mixer',
      external_id: 'e1',
      is_featured: true,
      coupon_code: 'SAVE',
    });
    const copy = await duplicateDeal(database.db, actor, deal.id);
    expect(copy).toMatchObject({
      title: `${'x'.repeat(193)} (copy)`,
      is_active: false,
      external_id: null,
      is_featured: true,
      coupon_code: 'SAVE',
      sale_price: deal.sale_price,
    });
    expect(copy?.slug).not.toBe(deal.slug);
    const log = await database.db
      .selectFrom('price_log')
      .select('deal_id')
      .where('deal_id', '=', copy?.id ?? 0)
      .execute();
    expect(log).toHaveLength(1);
    expect(await auditLog()).toMatchObject([
      { action: 'deal.duplicate', after: { copy_of: deal.id } },
    ]);
    expect(await duplicateDeal(database.db, actor, 999)).toBeNull();
  });
});

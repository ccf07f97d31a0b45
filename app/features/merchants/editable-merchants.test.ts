import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { editableMerchants } from './editable-merchants.server.ts';
import { merchantInput } from './merchant-input.ts';
import { countMerchantFigures, listMerchantRows } from './merchant-table-queries.server.ts';
import { merchantTable } from './merchant-table.ts';

const database = useTestDatabase();
const typed = { name: 'Lamp House', slug: 'lamp-house', keep_history: 'on', allow_alerts: 'on' };
const input = (changes: Record<string, string> = {}) =>
  merchantInput('USD').parse({ ...typed, ...changes });
const audit = () =>
  database.db.selectFrom('audit_log').select(['action', 'before', 'after']).orderBy('id').execute();

async function create(changes: Record<string, string> = {}) {
  const saved = await editableMerchants.create(database.db, input(changes), 'u1');
  if (!saved.ok) throw new Error(saved.reason);
  return saved.row;
}

test('creates a merchant from a form with amounts, hours and unchecked boxes', async () => {
  const merchant = await create({
    free_shipping_over: '35',
    hide_price_after_hours: '24',
    allow_alerts: '',
    affiliate_template: '?tag=lamp-20',
  });
  expect(merchant).toMatchObject({
    free_shipping_over: 3500,
    hide_price_after_hours: 24,
    keep_history: true,
    affiliate_template: '?tag=lamp-20',
    logo_url: null,
    seller_type: 'third_party',
    version: 1,
  });
  const amazon = { name: 'Amazon', slug: 'amazon', seller_type: 'amazon' };
  expect(await create(amazon)).toMatchObject({ seller_type: 'amazon' });
  const made = { action: 'merchant.create', before: null };
  expect(await audit()).toMatchObject([made, made]);
});

test('invalidates pages when a field that they show changes', async () => {
  const { rows } = await sql<{ source: string }>`
    select prosrc as source from pg_proc where proname = 'merchants_announce_update'`.execute(
    database.db,
  );
  const names = Object.keys(merchantInput('USD').shape).filter(
    (name) => name !== 'seller_type' && name !== 'sub_id_network',
  );
  const source = rows[0]?.source ?? '';
  expect(names.filter((name) => !new RegExp(`\\bn\\.${name}\\b`).test(source))).toEqual([]);
});

test.each([
  [{ name: ' ' }, { name: 'Name is required' }],
  [{ slug: '' }, { slug: 'Slug is required' }],
  [
    { slug: 'Lamp House' },
    { slug: 'Slug must contain only lowercase letters, numbers, and hyphens' },
  ],
  [{ website_url: 'javascript:alert(1)' }, { website_url: 'Must be a valid URL' }],
  [{ logo_url: 'lamp.png' }, { logo_url: 'Must be a valid URL' }],
  [
    { hide_price_after_hours: '1.5' },
    { hide_price_after_hours: 'Must be a whole number of hours' },
  ],
  [{ free_shipping_over: '-1' }, { free_shipping_over: 'Must be an amount of 0 or more' }],
  [
    { affiliate_template: 'https://go.example/' },
    { affiliate_template: 'Must contain {url}, or be a suffix such as ?tag=name-20' },
  ],
  [{ affiliate_template: 'ftp://go.example/{url}' }, { affiliate_template: 'Must be a valid URL' }],
  [{ affiliate_template: '?tag' }, { affiliate_template: 'Write a suffix like ?tag=name-20' }],
])('rejects %j next to its field', (changes: Record<string, string>, errors) => {
  const parsed = merchantInput('USD').safeParse({ ...typed, ...changes });
  expect(parsed.error && fieldErrors(parsed.error)).toEqual(errors);
});

// Proves P43: save failures name their cause (row-editor.server.ts)
test('P43: reports that a slug is already in use', async () => {
  await create();
  expect(await editableMerchants.create(database.db, input({ name: 'Other' }), 'u1')).toEqual({
    ok: false,
    reason: 'slug-taken',
  });
  const other = await create({ slug: 'other' });
  expect(
    await editableMerchants.update(database.db, other.id, input(), {
      actor: 'u1',
      expectedVersion: 1,
    }),
  ).toEqual({ ok: false, reason: 'slug-taken' });
});

// Proves R47: last-write protection
test('R47: rejects saving an outdated version and returns the current one', async () => {
  const { id } = await create();
  const first = await editableMerchants.update(database.db, id, input({ name: 'First' }), {
    actor: 'u1',
    expectedVersion: 1,
  });
  expect(first).toMatchObject({ ok: true, row: { name: 'First', version: 2 } });
  const second = await editableMerchants.update(database.db, id, input({ name: 'Second' }), {
    actor: 'u2',
    expectedVersion: 1,
  });
  expect(second).toMatchObject({
    ok: false,
    reason: 'changed-meanwhile',
    current: { name: 'First', version: 2 },
  });
  expect((await editableMerchants.find(database.db, id))?.name).toBe('First');
  // R42: only changed fields are logged.
  expect((await audit()).at(-1)).toEqual({
    action: 'merchant.update',
    before: { name: 'Lamp House' },
    after: { name: 'First' },
  });
});

test('reports a missing merchant', async () => {
  const way = { actor: 'u1', expectedVersion: 1 };
  expect(await editableMerchants.update(database.db, 999, input(), way)).toEqual({
    ok: false,
    reason: 'not-found',
  });
  expect(await editableMerchants.remove(database.db, 999, 'u1')).toEqual({
    ok: false,
    reason: 'not-found',
  });
});

test('P41: does not delete a merchant with deals, even inactive ones', async () => {
  const deal = await insertDeal(database.db, { is_active: false });
  const { name } = (await editableMerchants.find(database.db, deal.merchant_id)) ?? {};
  expect(await editableMerchants.remove(database.db, deal.merchant_id, 'u1')).toEqual({
    ok: false,
    reason: 'has-deals',
    name,
    deals: 1,
  });
  expect(await editableMerchants.find(database.db, deal.merchant_id)).not.toBeNull();
});

test('restores a merchant that any user deleted, with the old id', async () => {
  const merchant = await create({ description: 'Warm light' });
  expect(await editableMerchants.remove(database.db, merchant.id, 'u1')).toEqual({
    ok: true,
    name: 'Lamp House',
  });
  expect(await editableMerchants.restore(database.db, merchant.id, 'u2')).toEqual({
    ok: false,
    reason: 'too-late',
  });
  expect(await editableMerchants.restore(database.db, merchant.id, 'u1')).toEqual({ ok: true });
  expect(await editableMerchants.find(database.db, merchant.id)).toEqual(merchant);
  expect(await editableMerchants.restore(database.db, merchant.id, 'u1')).toEqual({
    ok: false,
    reason: 'there-again',
  });
});

test('does not restore a merchant whose slug was taken in the meantime', async () => {
  const { id } = await create();
  await editableMerchants.remove(database.db, id, 'u1');
  await create({ name: 'Newcomer' });
  expect(await editableMerchants.restore(database.db, id, 'u1')).toEqual({
    ok: false,
    reason: 'slug-taken',
  });
});

test('searches, filters and sorts merchants in the database', async () => {
  await insertMerchant(database.db, {
    name: 'Alpha',
    description: '100 % wool',
    website_url: null,
  });
  await insertMerchant(database.db, { name: 'beta', is_featured: true });
  await insertMerchant(database.db, { name: 'Gamma', is_featured: true });
  const names = async (search: string) => {
    const query = parseTableQuery(merchantTable, new URLSearchParams(search));
    return (await listMerchantRows(database.db, query)).rows.map((row) => row.name);
  };
  expect(await names('')).toEqual(['Alpha', 'beta', 'Gamma']);
  expect(await names('sort=-name')).toEqual(['Gamma', 'beta', 'Alpha']);
  expect(await names('q=BETA')).toEqual(['beta']);
  // R21: a percent sign is not a wildcard.
  expect(await names('q=%25')).toEqual(['Alpha']);
  expect(await names('show=featured&q=a&sort=-name')).toEqual(['Gamma', 'beta']);
  expect(await names('show=with-website')).not.toContain('Alpha');
  expect(await names('page=9')).toHaveLength(3);
  expect(await countMerchantFigures(database.db)).toMatchObject({ total: 3, featured: 2 });
});

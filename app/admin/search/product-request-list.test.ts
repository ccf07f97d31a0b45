import { beforeEach, expect, test } from 'vitest';
import { storeProductRequest } from '#app/features/search/product-requests.server.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { flashOf, signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
const url = 'https://else.example/p/zorkmid?id=7';
let staff: TestVisitor;
let id: number;
let form: string;

beforeEach(async () => {
  staff = await signedInVisitor(database, site, 'admin');
  await storeProductRequest(database.db, { url, title: 'Zorkmid 77' }, { mark: 'a', marks: ['a'] });
  ({ id } = await database.db
    .selectFrom('product_requests')
    .select('id')
    .executeTakeFirstOrThrow());
  form = `/admin/deals/new?request=${id}`;
});

const list = async () => (await staff.open('/admin/search')).html;
const act = (intent: string) => staff.send('/admin/search', { intent, id: String(id) });
const acts = () => database.db.selectFrom('audit_log').select('action').orderBy('id').execute();

test('lists a request with its store and a link to the form for its deal', async () => {
  const html = await list();
  expect(textOf(html)).toMatch(/Zorkmid 77 .*else\.example .*1/);
  expect(html).toContain(`href="${url}"`);
  expect(html).toContain(`href="${form}"`);
  expect((await staff.open(form)).html).toMatch(
    /<input[^>]*name="deal_url"[^>]*value="https:\/\/else/,
  );
});

test('redirects to the deal if the requested link has one now, and shows an empty form if the request is gone', async () => {
  const deal = await insertDeal(database.db, { deal_url: `${url}&ref=feed` });
  const { status, headers } = await staff.open(form);
  expect([status, headers.get('location')]).toEqual([302, `/admin/deals/${deal.id}/edit`]);
  const gone = await staff.open(`/admin/deals/new?request=${id + 1}`);
  expect(gone.html).toMatch(/<input[^>]*name="deal_url"[^>]*value=""/);
});

test('dismisses a request once, restores it, and logs both', async () => {
  expect(flashOf(await act('dismiss-request'))).toBe('Request dismissed.');
  expect(await list()).not.toContain('Zorkmid 77');
  expect(flashOf(await act('dismiss-request'))).toContain('Someone else already changed');
  expect(flashOf(await act('restore-request'))).toBe('Request restored.');
  expect(await list()).toContain('Zorkmid 77');
  expect((await acts()).map(({ action }) => action)).toEqual([
    'product-request.dismiss',
    'product-request.restore',
  ]);
  const log = textOf((await staff.open('/admin/audit')).html);
  expect(log).toContain('product request');
  expect(log).toContain('else.example');
  expect(log).not.toContain('zorkmid');
});

test('deletes a request when its deal is created, regardless of where the store redirected', async () => {
  const { id: category } = await insertCategory(database.db);
  await insertMerchant(database.db, { name: 'Acme' });
  const fields = {
    title: 'Zorkmid 77',
    merchant: 'Acme',
    category_id: String(category),
    sale_price: '19',
    original_price: '25',
    deal_url: 'https://else.example/en/zorkmid-77',
    status: 'new',
    seller_type: 'amazon',
    availability: 'in_stock',
  };
  expect((await staff.send(form, { ...fields, title: '' })).status).toBe(422);
  expect(await list()).toContain('Zorkmid 77');
  expect((await staff.send(form, fields)).status).toBe(302);
  expect(await list()).toContain('No requested products');
});

test('lets a user without the right to change deals only read requests', async () => {
  const readers = testSite(database, {
    rightsOfRole: () => new Set(['admin.open', 'catalog.read']),
  });
  const reader = await signedInVisitor(database, readers, 'admin');
  const { html } = await reader.open('/admin/search');
  expect(html).toContain('Zorkmid 77');
  expect(html).not.toContain('dismiss-request');
  expect(
    (await reader.send('/admin/search', { intent: 'dismiss-request', id: String(id) })).status,
  ).toBe(403);
});

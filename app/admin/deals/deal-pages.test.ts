import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import type { NewDeal } from '#test/factories/a-deal.ts';
import { createLog } from '#app/platform/log.server.ts';
import { makeBulkChanges } from '#app/features/deals/make-bulk-changes-job.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import { type TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database, { now: () => new Date('2026-06-15T12:00:00Z') });

let staff: TestVisitor;
let categoryId: number;
let merchantId: number;
beforeEach(async () => {
  staff = await signedInVisitor(database, site, 'admin', { id: 'staff' });
  categoryId = (await insertCategory(database.db, { name: 'Kitchen' })).id;
  merchantId = (await insertMerchant(database.db, { name: 'Acme' })).id;
});

const aDeal = (overrides: Partial<NewDeal> = {}) =>
  insertDeal(database.db, { category_id: categoryId, merchant_id: merchantId, ...overrides });
const read = (id: number) =>
  database.db.selectFrom('deals').selectAll().where('id', '=', id).executeTakeFirst();
/** Returns the notice on the page after the redirect. */
async function said(answer: { status: number; headers: Headers }): Promise<string> {
  expect(answer.status).toBe(302);
  return wordsOf((await staff.open(answer.headers.get('location') ?? '')).html);
}
const wordsOf = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>|<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', '’')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
const fields = (overrides: Record<string, string> = {}) => ({
  title: 'Stand Mixer',
  merchant: 'Acme',
  category_id: String(categoryId),
  sale_price: '199.99',
  original_price: '249.99',
  deal_url: 'https://shop.example/mixer',
  status: 'new',
  seller_type: 'amazon',
  availability: 'in_stock',
  is_active: 'on',
  ...overrides,
});

describe('the list', () => {
  // Proves Back office 2: Deal management: header, cards, filters, columns (admin-deals-page.tsx)
  // Proves P39: cards and Status once (admin-deals-page.tsx)
  // Proves Design: Saved views (admin-deals-page.tsx)
  test('shows the specification’s columns, the counts and the filters of the deal list', async () => {
    await aDeal({
      title: 'Mixer',
      is_featured: true,
      created_at: new Date('2026-06-15T09:00:00Z'),
      held_price: 100,
    });
    await aDeal({ title: 'Bowl', is_active: false, original_price: 1_000, sale_price: 1_999 });
    const { status, html } = await staff.open('/admin/deals');
    const words = wordsOf(html);
    expect(status).toBe(200);
    expect(words).toContain('Showing 2 deals');
    expect(words).toMatch(/Total Deals 2 Active 1 Featured 1 Expired 0/);
    expect(words).toMatch(
      /Mixer Kitchen Featured Held at \$1\.00 Acme \$19\.99 was \$39\.99 Active 3 hours ago/,
    );
    expect(words).toMatch(/Bowl Kitchen Acme \$19\.99 Inactive/);
    expect(html).toContain('<option value="no-picture">Missing image</option>');
    // Each option is offered once: expired deals only under Status.
    expect(html.match(/<option value="expired"/g)).toHaveLength(1);
    const old = await staff.open('/admin/deals?show=expired');
    expect(old.html).toMatch(/<option value="expired" selected="">Expired<\/option>/);
  });

  test('filters the deal list by the URL, names its merchant and describes an empty result', async () => {
    await aDeal({ title: 'Mixer' });
    expect(wordsOf((await staff.open('/admin/deals?q=mixer&status=active')).html)).toContain(
      'Showing 1 deal',
    );
    expect(wordsOf((await staff.open(`/admin/deals?merchant=${merchantId}`)).html)).toContain(
      'Showing deals from Acme.',
    );
    const none = wordsOf((await staff.open('/admin/deals?q=zzz')).html);
    expect(none).toContain('No deals found');
    expect(none).toContain('Clear filters');
    expect(none).not.toContain('Create First Deal');
  });

  // Proves Back office 2: Empty state and Create First Deal (admin-deals-page.tsx)
  test('offers to create the first deal when there is none', async () => {
    const words = wordsOf((await staff.open('/admin/deals')).html);
    expect(words).toContain('No deals found');
    expect(words).toContain('Create First Deal');
  });

  test('refuses unknown actions on the deal list', async () => {
    const { id } = await aDeal();
    const acts: Record<string, string>[] = [
      {},
      { intent: 'delete' },
      { intent: 'delete', id: 'x' },
      { intent: 'explode', id: String(id) },
      { intent: 'restore', id: String(id) },
      { intent: 'undo', batch: 'x' },
      { intent: 'bulk', verb: 'explode', ids: String(id) },
      { intent: 'bulk', verb: 'delete', ids: '-1' },
      { intent: 'bulk', verb: 'delete', all: '1', expected: 'many' },
    ];
    for (const act of acts)
      expect([act, (await staff.send('/admin/deals', act)).status]).toEqual([act, 400]);
    expect(await read(id)).toBeDefined();
  });
});

test('marks a broken link in its row, and links to the page where visitors would land', async () => {
  const { id } = await aDeal({ title: 'Mixer', deal_url: 'https://shop.test.net/mixer' });
  await aDeal({ title: 'Bowl' });
  expect((await staff.open('/admin/deals')).html).not.toContain('https://shop.test.net/mixer');
  const values = { link_broken_since: new Date('2026-06-10T12:00:00Z') };
  await database.db.updateTable('deals').set(values).where('id', '=', id).execute();
  const { html } = await staff.open('/admin/deals?show=broken-link');
  expect(html).toMatch(/href="https:\/\/shop\.test\.net\/mixer"[^>]*rel="noreferrer noopener"/);
  expect(wordsOf(html)).toMatch(/Showing 1 deal .*Broken link of Mixer, opens in a new tab/);
  expect(wordsOf((await staff.open('/admin')).html)).toContain(
    '1 live deal links to a missing page',
  );
});

test('marks a broken link as working from its menu, and reverts that on Undo', async () => {
  const { id } = await aDeal({ title: 'Mixer' });
  const values = { link_broken_since: new Date('2026-06-10T12:00:00Z') };
  await database.db.updateTable('deals').set(values).where('id', '=', id).execute();
  const list = '/admin/deals?show=broken-link';
  expect((await staff.open(list)).html).toContain('Mark link as working');
  const act = (intent: string) => staff.send(list, { intent, id: String(id) });
  const trusted = await staff.open((await act('trust-link')).headers.get('location') ?? '');
  expect(wordsOf(trusted.html)).toContain('The link counts as working');
  expect(wordsOf(trusted.html)).toContain('No deals found');
  expect(trusted.html).toContain('name="intent" value="doubt-link"');
  expect(wordsOf((await staff.open('/admin')).html)).not.toContain('links to a missing page');
  expect(await said(await act('trust-link'))).toContain('no longer reported as broken');
  expect(await said(await act('doubt-link'))).toContain('counts as broken again');
  expect(wordsOf((await staff.open(list)).html)).toContain('Broken link of Mixer');
  expect((await staff.open('/admin/deals?q=nothing')).html).not.toContain('Mark link as working');
});

describe('a deal that three people report as expired', () => {
  const list = '/admin/deals?show=reported';
  const act = (intent: string, id: number) => staff.send(list, { intent, id: String(id) });
  const report = (deal_id: number, people: number) =>
    database.db
      .insertInto('deal_reports')
      .values(
        Array.from({ length: people }, (_, n) => ({ deal_id, about: 'over', visitor: `v${n}` })),
      )
      .execute();

  test('lists a deal as reported expired when three people report it, but not two', async () => {
    const mixer = await aDeal({ title: 'Mixer' });
    await report((await aDeal({ title: 'Bowl' })).id, 2);
    expect(wordsOf((await staff.open('/admin')).html)).not.toContain('reported expired');
    await report(mixer.id, 3);
    const dashboard = await staff.open('/admin');
    expect(wordsOf(dashboard.html)).toContain(
      '1 live deal is reported expired by three people or more',
    );
    expect(dashboard.html).toContain('href="/admin/deals?show=reported"');
    const { html } = await staff.open(list);
    expect(wordsOf(html)).toMatch(/Showing 1 deal .*Mixer .*Reported expired by 3/);
    expect(html).toMatch(/Mark as expired.*Dismiss reports.*Check link now/s);
    expect((await staff.open('/admin/deals?q=Bowl')).html).not.toContain('Dismiss reports');
  });

  test('ends a reported deal, restores it on Undo, and removes it from the reported deals', async () => {
    const { id } = await aDeal({ title: 'Mixer' });
    await report(id, 3);
    await act('end-reported', id);
    const page = await staff.open(list);
    expect(wordsOf(page.html)).toContain('Changed the expiry of 1 deal.');
    expect((await read(id))?.is_expired).toBe(true);
    const batch = /name="batch" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    await staff.send(list, { intent: 'put-back', batch });
    expect(await read(id)).toMatchObject({ is_expired: false, expires_at: null });
    expect(wordsOf((await staff.open(list)).html)).toContain('No deals found');
  });

  test('dismisses reports once, checks the deal’s link, and logs it', async () => {
    const { id } = await aDeal({ title: 'Mixer', deal_url: 'https://shop.example/mixer' });
    await report(id, 3);
    expect(await said(await act('check-link', id))).toContain('The store gave no clear response.');
    expect(await said(await act('dismiss-reports', id))).toContain('Reports dismissed');
    expect(await said(await act('dismiss-reports', id))).toContain(
      'This deal is no longer reported as expired',
    );
    expect(await said(await act('check-link', 999_999))).toContain('no longer exists');
    const log = wordsOf((await staff.open('/admin/audit')).html);
    expect(log).toContain('had the link of Mixer checked');
    expect(log).toContain('dismissed 3 reports that Mixer had expired');
  });
});

describe('a deal that a visitor reports as another product', () => {
  const list = '/admin/deals?show=misplaced';

  test('lists the deal with a link to the comparison, and dismisses its reports once', async () => {
    const { id } = await aDeal({ title: 'Mixer' });
    await aDeal({ title: 'Bowl' });
    const report = { deal_id: id, about: 'product', visitor: 'v1' } as const;
    await database.db.insertInto('deal_reports').values(report).execute();
    const dashboard = await staff.open('/admin');
    expect(wordsOf(dashboard.html)).toContain('1 live deal is reported as another product');
    expect(dashboard.html).toContain(`href="${list}"`);
    const { html } = await staff.open(list);
    expect(wordsOf(html)).toMatch(/Showing 1 deal .*Mixer .*Reported as another product by 1/);
    expect(html).toMatch(
      new RegExp(`href="/admin/deals/${id}/edit[^"]*"[^>]*>Compare with its product`),
    );
    const keep = { intent: 'dismiss-product-reports', id: String(id) };
    expect(await said(await staff.send(list, keep))).toContain('stays part of its product');
    expect(await said(await staff.send(list, keep))).toContain('no longer reported as another');
    expect(wordsOf((await staff.open('/admin/audit')).html)).toContain(
      'dismissed 1 reports that Mixer was another product',
    );
  });
});

describe('actions on one deal', () => {
  // Proves Back office 2: Delete: question and outcome (act-on-deals.server.ts)
  test('confirms a deletion and offers Undo on the next page', async () => {
    const { id } = await aDeal({ title: 'Mixer' });
    const deleted = await staff.send('/admin/deals?q=mixer', { intent: 'delete', id: String(id) });
    expect(deleted.headers.get('location')).toBe('/admin/deals?q=mixer');
    const page = await staff.open('/admin/deals?q=mixer');
    expect(wordsOf(page.html)).toContain('Deal deleted successfully!');
    const batch = /name="batch" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    expect(
      await said(await staff.send('/admin/deals?q=mixer', { intent: 'undo', batch })),
    ).toContain('Restored 1 deal.');
    expect(await read(id)).toMatchObject({ title: 'Mixer' });
    expect(await said(await staff.send('/admin/deals', { intent: 'undo', batch }))).toContain(
      'can no longer be undone',
    );
  });

  test('shows the specification’s message when the deal to delete no longer exists', async () => {
    expect(await said(await staff.send('/admin/deals', { intent: 'delete', id: '999' }))).toContain(
      'Failed to delete deal',
    );
  });

  test('deactivates, features and duplicates a deal', async () => {
    const { id } = await aDeal({ title: 'Mixer' });
    expect(
      await said(await staff.send('/admin/deals', { intent: 'deactivate', id: String(id) })),
    ).toContain('Deactivated 1 deal.');
    await staff.send('/admin/deals', { intent: 'feature', id: String(id) });
    expect(await read(id)).toMatchObject({ is_active: false, is_featured: true });
    const copied = await staff.send('/admin/deals', { intent: 'duplicate', id: String(id) });
    const copy = await staff.open(copied.headers.get('location') ?? '');
    expect(copy.html).toContain('value="Mixer (copy)"');
    expect(wordsOf(copy.html)).toContain('The copy is inactive');
    expect(
      await said(await staff.send('/admin/deals', { intent: 'duplicate', id: '999' })),
    ).toContain('no longer exists');
  });
});

describe('actions on several deals', () => {
  const bulk = (path: string, more: [string, string][]) =>
    site.request(path, {
      method: 'POST',
      body: new URLSearchParams([['intent', 'bulk'], ...more]),
      headers: { cookie: [...staff.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });

  test('changes the selected deals and lists missing ones on a page', async () => {
    const deals = [await aDeal(), await aDeal(), await aDeal()];
    const ids = deals.map(({ id }): [string, string] => ['ids', String(id)]);
    await bulk('/admin/deals', [['verb', 'deactivate'], ...ids.slice(0, 2)]);
    expect(await Promise.all(deals.map(async ({ id }) => (await read(id))?.is_active))).toEqual([
      false,
      false,
      true,
    ]);
    const partly = await bulk('/admin/deals', [['verb', 'feature'], ...ids, ['ids', '999']]);
    const report = wordsOf((await staff.open(partly.headers.get('location') ?? '')).html);
    expect(report).toContain('Feature 4 deals');
    expect(report).toContain('Featured 3 deals. 1 failed.');
    expect(report).toContain('Deal #999 no longer exists');
  });

  test('requires a category to move deals, and a selection for any change', async () => {
    const { id } = await aDeal();
    const target = await insertCategory(database.db);
    const tick: [string, string] = ['ids', String(id)];
    const without = await bulk('/admin/deals', [['verb', 'category'], tick]);
    expect(without.headers.getSetCookie().join()).toContain('flash');
    expect((await read(id))?.category_id).toBe(categoryId);
    await bulk('/admin/deals', [['verb', 'category'], ['category', String(target.id)], tick]);
    expect((await read(id))?.category_id).toBe(target.id);
    expect(
      await said(await staff.send('/admin/deals', { intent: 'bulk', verb: 'feature' })),
    ).toContain('Select at least one deal first.');
  });

  test('changes all deals that match the URL, up to the count that was shown', async () => {
    for (let n = 0; n < 3; n++) await aDeal({ title: `Mixer ${n}` });
    const other = await aDeal({ title: 'Bowl' });
    const all = { intent: 'bulk', verb: 'deactivate', all: '1' };
    expect(
      await said(await staff.send('/admin/deals?q=mixer', { ...all, expected: '2' })),
    ).toContain('Nothing was changed: 2 deals matched when you selected them, and 3 do now.');
    expect(
      await said(await staff.send('/admin/deals?q=mixer', { ...all, expected: '3' })),
    ).toContain('Deactivated 3 deals.');
    expect((await read(other.id))?.is_active).toBe(true);
  });

  test('changes more than 200 deals in a job with a progress page and Undo', async () => {
    const count = 205;
    for (let n = 0; n < count; n++) await aDeal();
    const begun = await staff.send('/admin/deals', {
      intent: 'bulk',
      verb: 'delete',
      all: '1',
      expected: String(count),
    });
    const path = begun.headers.get('location') ?? '';
    expect(wordsOf((await staff.open(path)).html)).toMatch(/Delete 205 deals.*0 of 205/);
    await makeBulkChanges({ db: database.db, log: createLog('silent') });
    const done = wordsOf((await staff.open(path)).html);
    expect(done).toContain('Deleted 205 deals.');
    expect(done).toContain('Undo');
    const undone = await staff.send(path, { intent: 'undo' });
    await makeBulkChanges({ db: database.db, log: createLog('silent') });
    expect(wordsOf((await staff.open(undone.headers.get('location') ?? '')).html)).toContain(
      'Restored 205 deals.',
    );
    expect((await staff.open('/admin/deals/changes/999')).status).toBe(404);
    expect((await staff.open('/admin/deals/changes/x')).status).toBe(404);
  });

  test('reports a stopped job and can resume it', async () => {
    const { id } = await aDeal();
    const change = await database.db
      .insertInto('bulk_changes')
      .values({
        actor: 'staff',
        verb: 'feature',
        batch: '00000000-0000-4000-8000-000000000000',
        deal_ids: [id],
        state: 'failed',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const path = `/admin/deals/changes/${change.id}`;
    expect(wordsOf((await staff.open(path)).html)).toContain('It stopped after 0 deals.');
    await staff.send(path, { intent: 'resume' });
    await makeBulkChanges({ db: database.db, log: createLog('silent') });
    expect(wordsOf((await staff.open(path)).html)).toContain('Featured 1 deal.');
  });
});

describe('the form', () => {
  // Proves Back office 2: Deal management: create and edit open in a modal form (edit-deal-page.tsx)
  test('opens the deal form in a dialog over the list, and closes it to the same list', async () => {
    const { id } = await aDeal({ title: 'Mixer' });
    await aDeal({ title: 'Bowl' });
    for (const address of ['/admin/deals/new', `/admin/deals/${id}/edit`]) {
      const { status, html } = await staff.open(`${address}?q=mixer`);
      expect([address, status]).toEqual([address, 200]);
      const dialog =
        /<dialog open=""[\s\S]*?name="deal_url"[\s\S]*?<\/form><\/div>/.exec(html)?.[0] ?? '';
      expect(dialog).toContain('href="/admin/deals?q=mixer"');
      expect(dialog).toContain('name="deal_url"');
      const list = wordsOf(html.replace(dialog, ''));
      expect(list).toContain('Deal Management');
      expect(list).toContain('Showing 1 deal');
    }
    const list = await staff.open('/admin/deals?q=mixer');
    expect(list.html).toContain('href="/admin/deals/new?q=mixer"');
    expect(list.html).toContain(`href="/admin/deals/${id}/edit?q=mixer"`);
  });

  test('shows a notice in the next dialog only', async () => {
    const { id } = await aDeal({ title: 'Mixer' });
    const copied = await staff.send('/admin/deals?q=mixer', {
      intent: 'duplicate',
      id: String(id),
    });
    const address = copied.headers.get('location') ?? '';
    expect(address).toMatch(/^\/admin\/deals\/\d+\/edit\?q=mixer$/);
    const notice = /<div data-needs-js="[^"]*"><div role="status"><p[^>]*>Deal copied\./;
    expect((await staff.open(address)).html).toMatch(notice);
    await staff.send('/admin/deals', { intent: 'duplicate', id: String(id) });
    expect((await staff.open(`/admin/deals/${id}/edit`)).html).not.toMatch(notice);
  });

  // Proves Back office 4: Defaults of a new deal (deal-form-labels.ts)
  test('prefills a new deal as active, not featured, new and sold by Amazon', async () => {
    const { html } = await staff.open('/admin/deals/new');
    expect(html).toContain('Create New Deal');
    expect(html).toMatch(/name="is_active"[^>]*checked/);
    expect(html).not.toMatch(/name="is_featured"[^>]*checked/);
    for (const title of [
      'Basic Information',
      'Pricing Information',
      'Links & Media',
      'Deal Settings',
      'Product Status & Seller Information',
    ]) {
      expect(wordsOf(html)).toContain(title);
    }
  });

  test('creates a deal from typical input', async () => {
    const answer = await staff.send(
      '/admin/deals/new',
      fields({ expires_at: '2026-07-01T18:30', status: 'used', condition: 'good' }),
    );
    expect(await said(answer)).toContain('Deal created successfully!');
    expect(await database.db.selectFrom('deals').selectAll().executeTakeFirst()).toMatchObject({
      title: 'Stand Mixer',
      slug: 'stand-mixer',
      sale_price: 19_999,
      original_price: 24_999,
      discount_percent: 20,
      merchant_id: merchantId,
      category_id: categoryId,
      condition: 'good',
      expires_at: new Date('2026-07-01T18:30:00Z'),
      is_active: true,
      is_featured: false,
    });
  });

  // Proves Back office 5: Deal form: validation (deal-input.ts)
  // Proves P43: errors at their fields (save-deal-form.server.ts)
  test('shows errors at their fields and keeps the input', async () => {
    const { status, html } = await staff.send('/admin/deals/new', {
      ...fields({
        title: ' ',
        merchant: 'Acm',
        deal_url: 'shop',
        image_url: 'x',
        sale_price: '0',
        net_contents: '700',
        expires_at: 'soon',
        description: 'Kept words',
      }),
      category_id: '',
      is_active: '',
    });
    expect(status).toBe(422);
    const words = wordsOf(html);
    expect(words).toContain('Error saving deal');
    for (const fault of [
      'Title: Title is required',
      'Merchant: No merchant is called just “Acm”. Pick one: Acme',
      'Category: Category is required',
      'Sale Price: Must be a price greater than 0',
      'Net Contents: Must be an amount with a unit, such as 700 g, 6 x 330 ml or 24 pieces',
      'Deal URL: Must be a valid URL',
      'Image URL: Must be a valid URL',
      'Expires At: Must be a date and time',
    ]) {
      expect(words).toContain(fault);
    }
    expect(html).toContain('Kept words');
    expect(html).toMatch(/aria-invalid="true"[^>]*aria-describedby/);
    const without = await staff.send('/admin/deals/new', fields({ merchant: '' }));
    expect(wordsOf(without.html)).toContain('Merchant: Merchant is required');
  });

  test('explains why visitors see no picture, until another URL is entered', async () => {
    const image_url = 'https://shop.test.net/huge.jpg';
    const { id } = await aDeal({ image_url });
    const open = async () => (await staff.open(`/admin/deals/${id}/edit`)).html;
    expect(await open()).toContain(`src="${image_url}"`);
    await database.db
      .insertInto('pictures')
      .values({
        source: image_url,
        source_key: sql`md5(${image_url})::uuid`,
        merchant_id: merchantId,
        is_refused: true,
        last_error: 'The file has 50 megapixels, more than 25',
      })
      .execute();
    const html = await open();
    expect(wordsOf(html)).toContain(
      'The picture is not shown to visitors. The file has 50 megapixels, more than 25.',
    );
    expect(html).not.toContain(`src="${image_url}"`);
    await database.db
      .updateTable('deals')
      .set({ image_url: `${image_url}?small` })
      .execute();
    expect(wordsOf(await open())).not.toContain('The picture is not shown to visitors');
  });

  test('shows a stored deal with its price history, and returns to the list after saving', async () => {
    const { id } = await aDeal({ title: 'Mixer', expires_at: new Date('2026-12-24T20:00:00Z') });
    const path = `/admin/deals/${id}/edit?q=mixer`;
    const { html } = await staff.open(path);
    expect(html).toContain('Edit Deal');
    expect(html).toContain('value="2026-12-24T20:00"');
    expect(html).toContain('value="50%"');
    expect(wordsOf(html)).toContain('Price history');
    expect(html).toContain(`/admin/deals/${id}/edit?q=mixer&amp;days=30`);
    const saved = await staff.send(path, fields({ title: 'Better Mixer', version: '1' }));
    expect(saved.headers.get('location')).toBe('/admin/deals?q=mixer');
    expect(await said(saved)).toContain('Deal updated successfully!');
    expect(await read(id)).toMatchObject({ title: 'Better Mixer', version: 2 });
  });

  test('redirects from the deal form to the list and nowhere else', async () => {
    const { id } = await aDeal();
    const path = `/admin/deals/${id}/edit?status=active&days=30&next=//evil.example`;
    const saved = await staff.send(path, fields({ version: '1' }));
    expect(saved.headers.get('location')).toBe('/admin/deals?status=active');
    const created = await staff.send('/admin/deals/new?q=mixer', fields({ title: 'Bowl' }));
    expect(created.headers.get('location')).toBe('/admin/deals?q=mixer');
  });

  test('R47: shows both versions after a conflicting save, and loses neither', async () => {
    const { id } = await aDeal({ title: 'Mixer' });
    const path = `/admin/deals/${id}/edit`;
    const other = await signedInVisitor(database, site, 'admin', { id: 'other' });
    await other.send(path, fields({ title: 'Their title', version: '1' }));
    const { status, html } = await staff.send(path, fields({ title: 'My title', version: '1' }));
    expect(status).toBe(409);
    expect(wordsOf(html)).toContain('Someone else saved this deal after you opened it.');
    expect(wordsOf(html)).toMatch(/Title Their title My title/);
    expect(html).toContain('name="version" value="2"');
    expect((await read(id))?.title).toBe('Their title');
    await staff.send(path, fields({ title: 'My title', version: '2' }));
    expect((await read(id))?.title).toBe('My title');
  });

  test('returns 404 for a deal that was deleted before or during editing', async () => {
    expect((await staff.open('/admin/deals/999/edit')).status).toBe(404);
    expect((await staff.open('/admin/deals/x/edit')).status).toBe(404);
    const { status, html } = await staff.send('/admin/deals/999/edit', fields({ version: '1' }));
    expect(status).toBe(404);
    expect(wordsOf(html)).not.toContain('Deal updated');
  });

  test('reports an invalid URL to fetch at its field', async () => {
    const { status, html } = await staff.send(
      '/admin/deals/new',
      fields({ intent: 'fetch', deal_url: 'http://127.0.0.1/x' }),
    );
    expect(status).toBe(422);
    expect(wordsOf(html)).toContain('Nothing to fill in');
    expect(wordsOf(html)).toContain('is not an address of the public internet');
    expect(html).toContain('value="Stand Mixer"');
  });

  // Proves P7b: a held price is decided upon (edit-deal-page.tsx)
  test('P7b: shows a held price and lets staff decide on it', async () => {
    const { id } = await aDeal({ sale_price: 10_000, held_price: 500 });
    const path = `/admin/deals/${id}/edit`;
    expect(wordsOf((await staff.open(path)).html)).toContain('The feed says $5.00');
    expect(await said(await staff.send(path, { intent: 'approve-price', price: '400' }))).toContain(
      'no longer waiting',
    );
    expect(await said(await staff.send(path, { intent: 'approve-price', price: '500' }))).toContain(
      'The new price is published.',
    );
    expect(await read(id)).toMatchObject({ sale_price: 500, held_price: null });
  });

  test('suggests merchants by name', async () => {
    const { html } = await staff.open('/admin/deals/merchants?q=ac');
    expect(JSON.parse(html)).toEqual({ names: ['Acme'] });
  });
});

// Proves R31: CSV streamed and audited (export-deals-route.ts)
test('R31, P19: exports the listed deals as CSV with escaped formulas, and logs who exported them', async () => {
  await aDeal({ title: '=HYPERLINK("x")', sale_price: 1_250 });
  await aDeal({ title: 'Bowl', is_active: false });
  const { status, html, headers } = await staff.open('/admin/deals/export?status=active');
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toBe('attachment; filename="deals-2026-06-15.csv"');
  const [head, row, ...rest] = html.trimEnd().split('\r\n');
  expect(head).toMatch(/ID,Title,Slug,/);
  expect(row).toContain(`"'=HYPERLINK(""x"")"`);
  expect(row).toContain(',12.50,');
  expect(rest).toEqual([]);
  const audit = await database.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'after'])
    .execute();
  expect(audit).toEqual([
    { actor: 'staff', action: 'deal.export', after: { list: '/admin/deals?status=active' } },
  ]);
});

describe('the side panel of a deal', () => {
  test('shows the deal’s name as its title, and links to the previous and next deal of the list', async () => {
    const ids: number[] = [];
    for (const title of ['Anvil', 'Bowl', 'Cup']) ids.push((await aDeal({ title })).id);
    const open = (id: number | undefined) => staff.open(`/admin/deals/${id}/edit?sort=title`);
    const { html } = await open(ids[1]);
    expect(wordsOf(html)).toContain('Edit Deal Bowl');
    expect(html).toContain(`href="/admin/deals/${ids[0]}/edit?sort=title"`);
    expect(wordsOf(html)).toMatch(/Previous deal: Anvil Next deal: Cup/);
    // The button is disabled at the end of the page.
    expect((await open(ids[2])).html).toMatch(/<button[^>]*disabled=""[^>]*>Next</);
    const outside = await staff.open(`/admin/deals/${ids[1]}/edit?q=anvil`);
    expect(wordsOf(outside.html)).not.toContain('Next deal');
  });
});

describe('views and columns', () => {
  const views = (html: string) =>
    [...html.matchAll(/<nav aria-label="Views"[\s\S]*?<\/nav>/g)]
      .map(([nav]) => wordsOf(nav))
      .join();

  test('stores columns per person, and prefers those in the URL', async () => {
    await aDeal({ title: 'Mixer', availability: 'out_of_stock' });
    const answer = await staff.send('/admin/deals?status=active&columns=price', [
      ['intent', 'columns'],
      ['columns', 'stock'],
      ['columns', 'nonsense'],
    ]);
    expect(answer.headers.get('location')).toBe('/admin/deals?status=active');
    const { html } = await staff.open('/admin/deals');
    expect(wordsOf(html)).toMatch(/Mixer Kitchen Out of stock/);
    expect(html).not.toContain('data-label="Merchant"');
    expect((await staff.open('/admin/deals?columns=merchant+price')).html).toContain(
      'data-label="Merchant"',
    );
    const other = await signedInVisitor(database, site, 'admin', { id: 'other' });
    expect((await other.open('/admin/deals')).html).toContain('data-label="Merchant"');
    await staff.send('/admin/deals', { intent: 'usual-columns' });
    expect((await staff.open('/admin/deals')).html).toContain('data-label="Merchant"');
  });

  test('saves a view as the list’s URL and validates its name', async () => {
    const save = (words: Record<string, string>) =>
      staff.send('/admin/deals?status=active', { intent: 'save-view', ...words });
    const search = '?page=3&sort=-clicks&status=active&columns=price+clicks&evil=1';
    const { headers } = await save({ name: '  Best   ones ', search });
    expect(headers.get('location')).toBe(
      '/admin/deals?status=active&sort=-clicks&columns=price+clicks',
    );
    expect(views((await staff.open('/admin/deals')).html)).toContain('Best ones');
    expect(await said(await save({ name: '  ', search }))).toContain('Give the view a name.');
    expect(await said(await save({ name: 'x'.repeat(41), search }))).toContain('Give the view');
    const other = await signedInVisitor(database, site, 'admin', { id: 'other' });
    const { id } = await database.db
      .selectFrom('saved_views')
      .select('id')
      .executeTakeFirstOrThrow();
    for (const intent of ['delete-view', 'change-view']) {
      await other.send('/admin/deals', { intent, id: String(id), name: 'Mine now' });
    }
    expect(views((await staff.open('/admin/deals')).html)).toContain('Best ones');
    expect(views((await other.open('/admin/deals')).html)).not.toContain('ones');
    expect(
      await said(await staff.send('/admin/deals', { intent: 'delete-view', id: 'x' })),
    ).toContain('This view no longer exists.');
  });
});

describe('held prices of many deals', () => {
  const held = { sale_price: 10_000, held_price: 500 };
  const seenIn = (html: string) => /name="seen" value="([^"]+)"/.exec(html)?.[1] ?? '';

  test('approves the held prices that were seen and keeps later ones held', async () => {
    const old = new Date('2026-06-01T00:00:00Z');
    const [one, two] = [
      await aDeal({ ...held, held_at: old }),
      await aDeal({ ...held, held_at: old }),
    ];
    const plain = await aDeal({ sale_price: 700 });
    const seen = seenIn((await staff.open('/admin/deals?show=held')).html);
    await database.db
      .updateTable('deals')
      .set({ held_price: 400, held_at: new Date(Date.now() + 1_000) })
      .where('id', '=', two.id)
      .execute();
    const bulk = (ids: number[], verb: string, more: Record<string, string> = {}) =>
      staff.send('/admin/deals?show=held', [
        ['intent', 'bulk'],
        ['verb', verb],
        ...ids.map((id): [string, string] => ['ids', String(id)]),
        ...Object.entries(more),
      ]);
    const unseen = await bulk([one.id], 'approve-price');
    expect(await said(unseen)).toContain('1 failed');
    expect(await read(one.id)).toMatchObject(held);
    const { headers } = await bulk([one.id, two.id, plain.id], 'approve-price', { seen });
    expect(headers.get('location')).toMatch(/^\/admin\/deals\/changes\/\d+$/);
    expect(await read(one.id)).toMatchObject({ sale_price: 500, held_price: null });
    expect(await read(two.id)).toMatchObject({ sale_price: 10_000, held_price: 400 });
    expect(await read(plain.id)).toMatchObject({ sale_price: 700, version: 1 });
    const later = seenIn((await staff.open('/admin/deals?show=held')).html);
    expect(later).not.toBe('');
    await database.db.updateTable('deals').set({ held_at: old }).where('id', '=', two.id).execute();
    expect(await said(await bulk([two.id], 'refuse-price', { seen: later }))).toContain(
      'Rejected the price of 1 deal.',
    );
    expect(await read(two.id)).toMatchObject({
      sale_price: 10_000,
      held_price: null,
      refused_price: 400,
    });
  });

  test('approves more than 200 held prices in a job, which skips later prices', async () => {
    for (let n = 0; n < 201; n += 1) {
      await aDeal({ ...held, held_at: new Date('2026-06-01T00:00:00Z') });
    }
    const seen = seenIn((await staff.open('/admin/imports/held')).html);
    const { headers } = await staff.send('/admin/imports/held', {
      intent: 'bulk',
      verb: 'approve-price',
      all: '1',
      expected: '201',
      seen,
    });
    expect(headers.get('location')).toMatch(/^\/admin\/deals\/changes\/\d+$/);
    await database.db
      .updateTable('deals')
      .set({ held_price: 300, held_at: new Date(Date.now() + 1_000) })
      .where('id', 'in', (eb) => eb.selectFrom('deals').select(eb.fn.max('id').as('id')))
      .execute();
    await makeBulkChanges({ db: database.db, log: createLog('silent') });
    const { html } = await staff.open(headers.get('location') ?? '');
    expect(wordsOf(html)).toContain('Approve the held prices of 201 deals');
    expect(wordsOf(html)).toContain('Approved the price of 200 deals. 1 failed.');
    expect(
      (await staff.send('/admin/imports/held', { intent: 'bulk', verb: 'delete' })).status,
    ).toBe(400);
  });
});

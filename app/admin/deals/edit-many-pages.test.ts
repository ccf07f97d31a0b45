import { beforeEach, expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);

let staff: TestVisitor;
beforeEach(async () => {
  staff = await signedInVisitor(database, site, 'admin', { email: 'owner@shop.example' });
});

const wordsOf = (html: string) => textOf(html.replaceAll('<!-- -->', '')).replace(/\s+/g, ' ');
const hidden = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
const prices = async () =>
  (await database.db.selectFrom('deals').select('sale_price').orderBy('id').execute()).map(
    ({ sale_price }) => sale_price,
  );
async function aShop() {
  return [
    await insertDeal(database.db, { title: 'Steel toolbox', sale_price: 8_099 }),
    await insertDeal(database.db, { title: 'Nail', sale_price: 1 }),
    await insertDeal(database.db, { title: 'Old toolbox', sale_price: 500, is_active: false }),
  ];
}
/** Returns the notice on the page after the redirect, and its Undo. */
async function said(answer: { status: number; headers: Headers }) {
  expect(answer.status).toBe(302);
  const { html } = await staff.open(answer.headers.get('location') ?? '');
  return { words: wordsOf(html), batch: hidden(html, 'batch') };
}

test('previews a bulk edit of selected deals, applies it, logs it and undoes it', async () => {
  const [one, other] = await aShop();
  const tick = { intent: 'bulk', verb: 'edit', ids: String(one?.id) };
  const chosen = await staff.send('/admin/deals?q=toolbox', tick);
  const path = chosen.headers.get('location') ?? '';
  expect(path).toBe(`/admin/deals/prices?q=toolbox&ids=${one?.id}`);
  expect(wordsOf((await staff.open(path)).html)).toContain('Change the prices of 1 deal');

  const { html } = await staff.open(`${path}%2C${other?.id}&change=percent&to=-10`);
  expect(wordsOf(html)).toContain('Steel toolbox before $80.99 after $72.89');
  expect(wordsOf(html)).toContain('Nail stays $0.01');
  const confirm = { seen: hidden(html, 'seen'), expected: hidden(html, 'expected') };
  const done = await staff.send(`${path}%2C${other?.id}&change=percent&to=-10`, confirm);
  expect(done.headers.get('location')).toBe('/admin/deals?q=toolbox');
  const { words, batch } = await said(done);
  expect(words).toContain('Changed the price of 1 deal. 1 was already that way.');
  expect(await prices()).toEqual([7_289, 1, 500]);

  const back = await staff.send('/admin/deals', { intent: 'put-back', batch });
  expect((await said(back)).words).toContain('Restored 1 deal.');
  expect(await prices()).toEqual([8_099, 1, 500]);
  const log = wordsOf((await staff.open('/admin/audit')).html);
  expect(log).toContain(
    'owner@shop.example changed the price of Steel toolbox from $80.99 to $72.89',
  );
  expect(log).toContain('owner@shop.example restored Steel toolbox');
  const late = await staff.send('/admin/deals', {
    intent: 'put-back',
    batch: '00000000-0000-4000-8000-000000000000',
  });
  expect((await said(late)).words).toContain('can no longer be undone');
});

test('edits all deals that matched when counted, and reports those changed since', async () => {
  const [one] = await aShop();
  const path = '/admin/deals/prices?status=active&all=1&change=price&to=5';
  const { html } = await staff.open(path);
  expect(wordsOf(html)).toContain('Change the price of 2 deals');
  const seen = hidden(html, 'seen');
  expect((await said(await staff.send(path, { seen, expected: '3' }))).words).toContain(
    'Nothing was changed: 3 deals matched when you selected them, and 2 do now.',
  );
  await staff.send('/admin/deals', { intent: 'feature', id: String(one?.id) });
  const { words } = await said(await staff.send(path, { seen, expected: '2' }));
  expect(words).toContain('Changed the price of 1 deal. 1 failed.');
  expect(words).toContain(`Deal #${one?.id} was changed by someone else in the meantime`);
  expect(await prices()).toEqual([8_099, 500, 500]);
});

test('reports invalid input of a bulk edit at its field and changes nothing', async () => {
  await aShop();
  const path = '/admin/deals/prices?all=1&change=percent&to=lots';
  const { status, html } = await staff.open(path);
  expect(status).toBe(200);
  expect(html).toContain('Must be a number such as -10');
  expect(html).not.toContain('>Changes<');
  expect((await staff.send(path, { seen: '2026-01-01', expected: '3' })).status).toBe(400);
  const sound = '/admin/deals/prices?all=1&change=price&to=3';
  expect((await staff.send(sound, { seen: 'x', expected: '3' })).status).toBe(400);
  expect(
    (await said(await staff.send('/admin/deals', { intent: 'bulk', verb: 'edit' }))).words,
  ).toContain('Select at least one deal first.');
  expect(await prices()).toEqual([8_099, 1, 500]);
});

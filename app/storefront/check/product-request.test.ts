import { expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { textOf } from '#test/render-component.tsx';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { signIn } from '#test/staff.ts';
import { testVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
const asked = 'https://else.example/p/zorkmid?utm_source=mail&id=7#top';
const link = 'https://else.example/p/zorkmid?id=7';
const check = (url: string, title = 'Zorkmid 77') =>
  `/check?${new URLSearchParams({ url, title })}`;
const press = (address = '192.0.2.1', path = check(asked)) =>
  testVisitor(site, address).sendAsHuman(path, {});
const rows = () => database.db.selectFrom('product_requests').selectAll().execute();

test('stores the link that a visitor asks for without JavaScript, once per visitor', async () => {
  const { html } = await testVisitor(site).open(check(asked));
  expect(textOf(html)).toContain(
    'We store the link and the product’s name until 90 days after the last request',
  );
  const unanswered = await testVisitor(site).send(check(asked), {});
  expect([unanswered.status, await rows()]).toEqual([422, []]);
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) {
    const sent = await press(address);
    expect(sent.status).toBe(200);
    expect(textOf(sent.html)).toContain('Thank you. We received your request.');
  }
  expect(await rows()).toMatchObject([{ url: link, title: 'Zorkmid 77', visitors: 2 }]);
  const marks = await database.db.selectFrom('product_request_visitors').selectAll().execute();
  expect(marks).toHaveLength(2);
  expect(JSON.stringify(marks)).not.toContain('192.0.2');
});

test('does not store an email address from the title of a store’s page', async () => {
  const path = check(asked, 'Zorkmid 77 for ann@x.example');
  expect((await press('192.0.2.1', path)).status).toBe(200);
  expect(await rows()).toMatchObject([{ title: 'Zorkmid 77 for' }]);
});

test('does not offer to request a product that has a deal', async () => {
  await insertDeal(database.db, { deal_url: link });
  expect((await site.page(check(asked))).html).not.toContain('Ask us to add it');
});

test('asks a signed-in user no captcha question', async () => {
  const { cookie } = await signIn(database);
  const body = new URLSearchParams();
  const sent = await site.page(check(asked), { method: 'POST', headers: { cookie }, body });
  expect(textOf(sent.html)).toContain('We received your request.');
});

test.each([
  'https://user:secret@shop.example/p',
  'http://127.0.0.1/admin',
  'https://nas.local/p',
  'javascript:alert(1)',
  '',
])('refuses a product request for %j, and does not offer one', async (url) => {
  expect((await site.page(check(url))).html).not.toContain('Ask us to add it');
  expect((await press('192.0.2.1', check(url))).status).toBe(422);
  expect(await rows()).toEqual([]);
});

test('refuses a request for a page of this site, and one from another site', async () => {
  const own = `${testServices(database).env.origin}/deals/lamp`;
  expect((await press('192.0.2.1', check(own))).status).toBe(422);
  const foreign = await site.request(check(asked), {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
    body: new URLSearchParams(),
  });
  expect(foreign.status).toBe(400);
  expect(await rows()).toEqual([]);
});

test('limits the product requests of one IP address', async () => {
  const { env } = testServices(database, { RATE_LIMITS: 'report-address=1/600' });
  const limited = testSite(database, { env });
  const send = () => testVisitor(limited).send(check(asked), {});
  await send();
  const { status, headers } = await send();
  expect(status).toBe(429);
  expect(headers.get('retry-after')).toMatch(/^\d+$/);
});

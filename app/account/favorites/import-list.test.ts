import { expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signIn } from '#test/staff.ts';
import { textOf } from '#test/render-component.tsx';

const database = useTestDatabase();
const path = '/favorites/import';

/** Simulates a signed-in browser without JavaScript. */
async function enter() {
  const { cookie } = await signIn(database, {});
  const site = testSite(database);
  const post = async (body: FormData | URLSearchParams) => {
    const { status, html } = await site.page(path, { method: 'POST', headers: { cookie }, body });
    return { status, html, text: textOf(html) };
  };
  return {
    post,
    upload: (content: string, list = '') => {
      const form = new FormData();
      form.set('file', new File([content], 'list.csv'));
      form.set('list', list);
      return post(form);
    },
    read: (address: string) => site.page(address, { headers: { cookie } }),
  };
}

/** Returns the hidden fields of the page's form with this intent. */
const fieldsOf = (html: string, intent: string) => {
  const form = html.split('<form').find((one) => one.includes(`value="${intent}"`)) ?? '';
  const inputs = form
    .split('</form>')[0]
    ?.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return new URLSearchParams([...(inputs ?? [])].map(([, name = '', value = '']) => [name, value]));
};
const count = async () => {
  const { rows } = await database.pool.query(
    'select (select count(*)::int from user_favorites) as favorites, (select count(*)::int from price_alerts) as alerts',
  );
  return rows[0];
};

test('previews an uploaded list, adds it without JavaScript, and undoes the import', async () => {
  const { upload, post } = await enter();
  await insertDeal(database.db, {
    title: 'Desk lamp',
    sale_price: 5_000,
    deal_url: 'https://shop.example/lamp',
  });
  const list =
    'link;desired price\nhttps://shop.example/lamp;40,00\nhttps://other.example/unheard-of;\nx;\n';
  const preview = await upload(list);
  expect(preview.status).toBe(200);
  expect(preview.text).toContain('2 lines of 3 recognized, 1 deal found. Nothing is saved yet.');
  expect(preview.text).toContain('New favorite · New alert at $40.00');
  expect(preview.text).toContain('Line 3: no matching deal');
  expect(preview.text).toContain('Line 4: not a link');
  expect(preview.html).toContain('action="/check?url=https%3A%2F%2Fother.example%2Funheard-of');
  expect(await count()).toEqual({ favorites: 0, alerts: 0 });
  const wanted = fieldsOf(preview.html, 'take');
  wanted.set('watch', 'on');
  const added = await post(wanted);
  expect(added.text).toContain('Added 1 favorite and 1 price alert.');
  expect(await count()).toEqual({ favorites: 1, alerts: 1 });
  expect((await post(wanted)).text).toContain('You already had everything on this list.');
  expect((await upload(list)).text).toContain('This list adds nothing new.');
  const back = await post(fieldsOf(added.html, 'undo'));
  expect(back.text).toContain('Removed 1 favorite and 1 price alert.');
  expect(await count()).toEqual({ favorites: 0, alerts: 0 });
});

test('adds only favorites if the checkbox for alerts is not ticked', async () => {
  const { upload, post } = await enter();
  await insertDeal(database.db, { deal_url: 'https://shop.example/lamp', sale_price: 5_000 });
  const preview = await upload('https://shop.example/lamp 40');
  await post(fieldsOf(preview.html, 'take'));
  expect(await count()).toEqual({ favorites: 1, alerts: 0 });
});

test('refuses a form with an outdated currency, and a forged form', async () => {
  const { post } = await enter();
  const form = (more: object) => new URLSearchParams({ intent: 'take', wanted: '1', ...more });
  const outdated = await post(form({ currency: 'EUR' }));
  expect([outdated.status, outdated.text]).toEqual([422, expect.stringContaining('USD now')]);
  expect((await post(form({ wanted: '1;drop' }))).status).toBe(422);
  expect((await post(new URLSearchParams({ intent: 'undo', favorites: 'x' }))).status).toBe(200);
});

test('keeps a rejected list in the form, and escapes markup in a list', async () => {
  const { upload } = await enter();
  const long = 'https://a.example/1\n'.repeat(2_001);
  const refused = await upload('', long);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('2,000 lines');
  expect(refused.html).toContain('https://a.example/1');
  const hostile = await upload(
    'title,link\n<script>alert(1)</script>,javascript:alert(1)\n"=cmd()",\n',
  );
  expect(hostile.status).toBe(200);
  expect(hostile.html).not.toContain('<script>alert');
  expect(hostile.html).not.toContain('href="javascript');
});

test('links to the page from favorites and price alerts, and asks signed-out visitors to sign in', async () => {
  const { read } = await enter();
  for (const page of ['/favorites', '/price-alerts']) {
    expect((await read(page)).html).toContain(`href="${path}"`);
  }
  const site = testSite(database);
  expect(await site.page(path)).toMatchObject({ status: 401 });
  const body = new URLSearchParams({ list: 'https://a.example/1' });
  const sent = await site.request(path, { method: 'POST', body });
  expect(sent.headers.get('location')).toBe(`/sign-in?returnTo=${path}`);
});

test('limits previews to ten in ten minutes', async () => {
  const { upload } = await enter();
  for (let n = 0; n < 10; n++) expect((await upload('x')).status).toBe(200);
  const refused = await upload('x');
  expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('Too many')]);
});

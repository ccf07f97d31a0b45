import { beforeEach, describe, expect, test } from 'vitest';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertLibraryPicture,
} from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import { textOf } from '#test/render-component.tsx';
import { slotMessages } from '#app/features/slots/slot-messages.ts';

const database = useTestDatabase();
const site = testSite(database);
const admin = () => signedInVisitor(database, site, 'admin');
const titles = async () =>
  (await database.db.selectFrom('slots').select('title').orderBy('id').execute()).map(
    ({ title }) => title,
  );

const typed = {
  kind: 'ad',
  place: 'home',
  title: 'Better lamps',
  text: 'Half price in May',
  url: 'https://lamps.example/',
  is_on: 'on',
};
const insert = (overrides: object = {}) =>
  database.db
    .insertInto('slots')
    .values({ ...typed, kind: 'ad', place: 'home', is_on: true, ...overrides })
    .returning('id')
    .executeTakeFirstOrThrow();

describe('the screen of slots', () => {
  test('creates a slot without JavaScript, with times in the zone of the site', async () => {
    const visitor = await admin();
    const { address } = await insertLibraryPicture(database.db);
    const more = {
      picture_url: address,
      starts_at: '2026-11-01T00:00',
      ends_at: '2099-01-01T00:00',
    };
    const sent = await visitor.send('/admin/slots/new', { ...typed, ...more });
    expect([sent.status, sent.headers.get('location')]).toEqual([302, '/admin/slots']);
    const { html } = await visitor.open('/admin/slots');
    for (const words of ['Ad created.', 'Better lamps', 'Live']) expect(html).toContain(words);
    expect(await database.db.selectFrom('slots').selectAll().execute()).toMatchObject([
      { is_on: true, picture_url: address, starts_at: new Date('2026-11-01T00:00:00Z') },
    ]);
  });

  test('calls each slot an ad or an announcement on screens, and never a slot', async () => {
    const visitor = await admin();
    const { id } = await insert({ kind: 'announcement' });
    const { html: form } = await visitor.open(`/admin/slots/${id}/edit`);
    for (const words of ['Edit Announcement', 'Update Announcement']) expect(form).toContain(words);
    expect(form).toContain('delete this announcement?');
    await visitor.send(`/admin/slots/${id}/edit`, { ...typed, kind: 'announcement', version: '1' });
    const { html: list } = await visitor.open('/admin/slots');
    expect(list).toContain('Announcement updated.');
    for (const address of [
      '/admin/slots',
      '/admin/audit?entity=slot',
      '/admin/find?q=announcement',
    ]) {
      const { html } = await visitor.open(address);
      const shown = textOf(html.replace(/<script[\s\S]*?<\/script>/g, ''));
      expect(shown).not.toMatch(/\bslots?\b/i);
    }
  });

  test('shows errors at their fields and keeps the input', async () => {
    const visitor = await admin();
    const wrong = { ...typed, picture_url: 'https://elsewhere.example/a.png' };
    const { status, html } = await visitor.send('/admin/slots/new', wrong);
    expect(status).toBe(422);
    expect(html).toContain(slotMessages.notInLibrary);
    expect(html).toContain('value="Better lamps"');
    const gone = await visitor.send('/admin/slots/new', {
      ...typed,
      place: 'list',
      category_id: '999',
    });
    expect([gone.status, gone.html.includes(slotMessages.noSuchCategory)]).toEqual([422, true]);
    expect(await titles()).toEqual([]);
  });

  test('changes a slot once, then deletes and restores it twice', async () => {
    const visitor = await admin();
    const { id } = await insert();
    const change = { ...typed, title: 'Best lamps', version: '1' };
    expect((await visitor.send(`/admin/slots/${id}/edit`, change)).status).toBe(302);
    expect((await visitor.send(`/admin/slots/${id}/edit`, change)).status).toBe(409);
    for (const _ of [1, 2]) {
      await visitor.send('/admin/slots', { intent: 'delete', id: String(id) });
      expect(await titles()).toEqual([]);
      await visitor.send('/admin/slots', { intent: 'restore', id: String(id) });
      expect(await titles()).toEqual(['Best lamps']);
    }
    const { html } = await visitor.open('/admin/audit');
    for (const words of ['changed', 'deleted', 'restored']) expect(html).toContain(words);
  });

  test('filters slots by state, place and text', async () => {
    const visitor = await admin();
    await insert({ title: 'Now' });
    await insert({ title: 'Soon', starts_at: new Date('2099-01-01') });
    await insert({ title: 'Over', ends_at: new Date('2020-01-01'), is_on: false });
    await insert({ title: 'Silent', is_on: false, place: 'deal' });
    const shown = async (query: string) => {
      const { html } = await visitor.open(`/admin/slots?${query}`);
      return ['Now', 'Soon', 'Over', 'Silent'].filter((title) => html.includes(`>${title}<`));
    };
    expect(await shown('show=live')).toEqual(['Now']);
    expect(await shown('show=scheduled')).toEqual(['Soon']);
    expect(await shown('show=ended')).toEqual(['Over']);
    expect(await shown('show=off')).toEqual(['Silent']);
    expect(await shown('place=deal')).toEqual(['Silent']);
    expect(await shown('q=soon')).toEqual(['Soon']);
  });
});

describe('pages with slots', () => {
  let category: Awaited<ReturnType<typeof insertCategory>>;
  beforeEach(async () => {
    category = await insertCategory(database.db, { slug: 'tools' });
    await insertDeal(database.db, { slug: 'drill', category_id: category.id });
    await insertBlogPost(database.db, { slug: 'guide' });
  });
  const addresses = ['/', '/deals', '/categories/tools', '/deals/drill', '/blog/guide', '/about'];
  const pagesWith = async (title: string) => {
    const pages = await Promise.all(addresses.map((address) => site.page(address)));
    return addresses.filter((_, place) => pages[place]?.html.includes(title));
  };

  test.each([
    ['bar', addresses],
    ['home', ['/']],
    ['list', ['/deals', '/categories/tools']],
    ['deal', ['/deals/drill']],
    ['article', ['/blog/guide']],
  ])('shows a slot at the place %s', async (place, where) => {
    await insert({ place });
    expect(await pagesWith('Better lamps')).toEqual(where);
  });

  test('shows a slot of a category on its pages only', async () => {
    await insert({ place: 'list', category_id: category.id });
    expect(await pagesWith('Better lamps')).toEqual(['/categories/tools']);
  });

  test('marks an ad as sponsored, and reserves the space of its picture', async () => {
    const { address } = await insertLibraryPicture(database.db, { width: 800, height: 200 });
    const { id } = await insert({ picture_url: address, picture_alt: 'A lamp' });
    const { html } = await site.page('/');
    expect(html).toContain('aria-label="Sponsored"');
    expect(html).toContain(
      `href="/out/slot/${id}" target="_blank" rel="sponsored nofollow noopener"`,
    );
    const picture = /<img[^>]*alt="A lamp"[^>]*>/.exec(html)?.[0];
    expect(picture).toContain('width="800" height="200"');
    expect(html).toContain(`src="/out/slot/${id}/view"`);
    expect(html).not.toContain('lamps.example');
  });

  test('shows an announcement without “Sponsored”, and escapes its text', async () => {
    const title = '<script>alert(1)</script>';
    await insert({ kind: 'announcement', place: 'bar', title, url: null });
    const { html } = await site.page('/about');
    expect(html).toContain('aria-label="Announcement"');
    expect(html).toContain('&lt;script&gt;alert(1)');
    for (const words of ['Sponsored', '/out/slot/1"', title]) expect(html).not.toContain(words);
  });
});

describe('addresses that count views and clicks', () => {
  const headers = {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  };
  const counts = () =>
    database.db.selectFrom('slot_days').select(['slot_id', 'views', 'clicks']).execute();

  test('counts a view and a click once, and redirects without a cookie', async () => {
    const { id } = await insert();
    for (const _ of [1, 2]) {
      const seen = await site.request(`/out/slot/${id}/view`, { headers });
      expect([
        seen.status,
        seen.headers.get('content-type'),
        seen.headers.get('set-cookie'),
      ]).toEqual([200, 'image/gif', null]);
      expect(seen.headers.get('cache-control')).toBe('private, max-age=1800');
      const left = await site.request(`/out/slot/${id}`, { headers });
      expect([left.status, left.headers.get('location'), left.headers.get('set-cookie')]).toEqual([
        302,
        'https://lamps.example/',
        null,
      ]);
    }
    await site.request(`/out/slot/${id}`, { headers: { 'user-agent': 'Googlebot/2.1' } });
    await expect.poll(counts, { timeout: 30_000 }).toEqual([{ slot_id: id, views: 1, clicks: 1 }]);
    const { html } = await (await admin()).open('/admin/slots');
    expect(html).toContain('Views, 30 days');
  });

  test('redirects home when the slot is unknown, ended or off', async () => {
    const over = await insert({ ends_at: new Date('2020-01-01') });
    const off = await insert({ is_on: false });
    for (const id of [over.id, off.id, 999_999, 'x']) {
      const { headers: answered } = await site.request(`/out/slot/${id}`, { headers });
      expect(answered.get('location')).toBe('/');
    }
  });
});

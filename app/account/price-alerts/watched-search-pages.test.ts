import { expect, test } from 'vitest';
import { alertListPath, confirmAlertPath } from '#app/features/price-alerts/watch-link.server.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { signIn } from '#test/staff.ts';
import { testSite } from '#test/site.ts';
import { testVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database, { env: testServices(database).env });

async function enter() {
  const { user, cookie } = await signIn(database);
  const visitor = testVisitor(site);
  const [name = '', value = ''] = cookie.split('=');
  visitor.cookies.set(name, value);
  return { user, visitor };
}
const searches = () =>
  database.db.selectFrom('watched_searches').selectAll().orderBy('id').execute();

const list = '/deals?search=lamp&max=60';
const form = `/price-alerts/searches/new?of=${encodeURIComponent(list)}`;

test('lets guests watch a search, confirm it by email and manage it through the email’s link, without JavaScript', async () => {
  await insertDeal(database.db, { title: 'Brass lamp', sale_price: 5_000 });
  const stranger = testVisitor(site, '203.0.113.7');
  expect((await stranger.open(`${list}&sort=newest`)).html).toContain(
    `href="/price-alerts/searches/new?of=%2Fdeals`,
  );
  const page = await stranger.open(form);
  for (const words of ['“lamp”, Up to $60', 'Email address', 'Sign in instead']) {
    expect(page.html).toContain(words);
  }
  expect((await stranger.send(form, { cadence: 'daily' })).headers.get('location')).toBe(
    `/sign-in?returnTo=${encodeURIComponent(form)}`,
  );
  const fields = { cadence: 'weekly', email: 'guest@mail.example' };
  const wrong = await stranger.send(form, { ...fields, email: 'nonsense' });
  expect([wrong.status, /value="nonsense"/.test(wrong.html)]).toEqual([422, true]);
  const asked = await stranger.sendAsHuman(form, fields);
  expect([asked.status, /Check your email/.test(asked.html)]).toEqual([200, true]);
  expect(await searches()).toEqual([]);

  const request = await database.db
    .selectFrom('watch_requests')
    .select('id')
    .executeTakeFirstOrThrow();
  const link = await confirmAlertPath(database.db, request.id);
  const question = await stranger.open(link);
  expect(question.html).toContain('Email guest@mail.example about this search?');
  expect(await searches()).toEqual([]);
  const confirmed = await stranger.send(link, {});
  const [search] = await searches();
  const path = await alertListPath(database.db, search?.watcher_id ?? 0);
  expect(confirmed.headers.get('location')).toBe(`${path}&watched`);
  expect((await stranger.open(link)).headers.get('location')).toBe(path);

  await database.db.updateTable('watched_searches').set({ unseen: 12 }).execute();
  const own = await stranger.open(`${path}&watched`);
  for (const words of ['You are now watching this search.', '12 new since', 'See what is new']) {
    expect(own.html).toContain(words);
  }
  const id = String(search?.id);
  const seen = await stranger.send(path, { intent: 'seen-search', id });
  expect(seen.headers.get('location')).toBe(list);
  expect((await stranger.open(path)).html).not.toContain('12 new');

  const token = new URLSearchParams(path.split('?')[1]).get('token') ?? '';
  const change = `/price-alerts/searches/new?${new URLSearchParams({ token, of: list })}`;
  expect((await stranger.open(change)).html).toContain('Save Changes');
  const changed = await stranger.send(change, { cadence: 'at_once' });
  expect(changed.headers.get('location')).toBe(`${path}&watched`);
  expect(await searches()).toMatchObject([{ cadence: 'at_once', watcher_id: search?.watcher_id }]);
  expect((await stranger.open(path)).html).toContain(
    new URLSearchParams({ token, of: list }).toString().replace('&', '&amp;'),
  );

  await stranger.sendAsHuman(form.replace('60', '70'), fields);
  expect((await stranger.open(path)).html).toContain('Waiting for your confirmation');
  const [waiting] = await database.db
    .selectFrom('watch_requests')
    .select('id')
    .where('confirmed_at', 'is', null)
    .execute();
  await stranger.send(path, { intent: 'confirm', id: String(waiting?.id) });
  expect(await searches()).toHaveLength(2);
  await stranger.send(path, { intent: 'stop-all' });
  expect((await searches()).map(({ is_active }) => is_active)).toEqual([false, false]);
  await stranger.send(path, { intent: 'delete-search', id });
  await stranger.send(path, { intent: 'erase' });
  expect(await searches()).toEqual([]);
});

test('R03: does not change a search that another email address watches', async () => {
  const stranger = testVisitor(site, '203.0.113.8');
  const paths: string[] = [];
  for (const email of ['one@mail.example', 'two@mail.example']) {
    await stranger.sendAsHuman(form, { cadence: 'daily', email });
    const asked = await database.db.selectFrom('watch_requests').select('id').execute();
    const id = Math.max(...asked.map((one) => one.id));
    await stranger.send(await confirmAlertPath(database.db, id), {});
    paths.push(await alertListPath(database.db, (await searches()).at(-1)?.watcher_id ?? 0));
  }
  const id = String((await searches())[1]?.id);
  for (const intent of ['stop-search', 'delete-search', 'seen-search']) {
    expect((await stranger.send(paths[0] ?? '', { intent, id })).status).toBe(404);
  }
  expect(await searches()).toMatchObject([{ is_active: true }, { is_active: true }]);
});

test('watches a list, shows what is new since the last visit, and changes, stops and deletes it without JavaScript', async () => {
  const { user, visitor } = await enter();
  await insertDeal(database.db, { title: 'Brass lamp', sale_price: 5_000 });
  const page = await visitor.open(form);
  expect(page.html).toContain('“lamp”, Up to $60');
  expect((await visitor.send(form, { cadence: 'hourly' })).status).toBe(422);
  const made = await visitor.send(form, { cadence: 'weekly' });
  expect(made.headers.get('location')).toBe('/price-alerts?watched');
  expect(await searches()).toMatchObject([{ user_id: user.id, address: list, cadence: 'weekly' }]);
  const overview = await visitor.open('/price-alerts?watched');
  for (const words of ['You are now watching this search.', '“lamp”, Up to $60', 'Once a week']) {
    expect(overview.html).toContain(words);
  }

  await database.db.updateTable('watched_searches').set({ unseen: 12 }).execute();
  const shown = await visitor.open(`${list}&sort=newest`);
  expect(shown.html).toContain('12 new since earlier today');
  expect(shown.html).toContain('You watch this');
  expect((await visitor.open('/deals?search=lamp')).html).not.toContain('12 new');
  const id = String((await searches())[0]?.id);
  const seen = await visitor.send('/price-alerts', { intent: 'seen-search', id });
  expect(seen.headers.get('location')).toBe(list);
  expect((await visitor.open(list)).html).not.toContain('12 new');

  await visitor.send(form, { cadence: 'at_once' });
  expect(await searches()).toMatchObject([{ cadence: 'at_once' }]);
  await visitor.send('/price-alerts', { intent: 'stop-search', id });
  expect(await searches()).toMatchObject([{ is_active: false }]);
  const other = (await enter()).visitor;
  for (const intent of ['stop-search', 'delete-search', 'seen-search']) {
    expect((await other.send('/price-alerts', { intent, id })).status).toBe(404);
  }
  await visitor.send('/price-alerts', { intent: 'delete-search', id });
  expect(await searches()).toEqual([]);
});

test('refuses a URL that is not a list', async () => {
  const { visitor } = await enter();
  for (const of of ['', '//evil.example', '/admin', '/deals?search=the']) {
    const path = `/price-alerts/searches/new?${new URLSearchParams({ of })}`;
    expect((await visitor.open(path)).status).toBe(422);
    expect((await visitor.send(path, { cadence: 'daily' })).status).toBe(422);
  }
});

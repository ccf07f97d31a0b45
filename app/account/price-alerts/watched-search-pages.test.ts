import { expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { signIn } from '#test/staff.ts';
import { testSite } from '#test/site.ts';
import { testVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);

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

test('strangers are led to sign in and back', async () => {
  await insertDeal(database.db, { title: 'Brass lamp' });
  const stranger = testVisitor(site);
  expect((await stranger.open(`${list}&sort=newest`)).html).toContain(
    `href="/price-alerts/searches/new?of=%2Fdeals`,
  );
  const page = await stranger.open(form);
  expect(page.headers.get('location')).toBe(`/sign-in?returnTo=${encodeURIComponent(form)}`);
  expect((await stranger.send(form, { cadence: 'daily' })).status).toBe(302);
  expect(await searches()).toEqual([]);
});

test('a list is watched, says what is new since it was seen, is changed, stopped and deleted, without script', async () => {
  const { user, visitor } = await enter();
  await insertDeal(database.db, { title: 'Brass lamp', sale_price: 5_000 });
  const page = await visitor.open(form);
  expect(page.html).toContain('“lamp”, Up to $60');
  expect((await visitor.send(form, { cadence: 'hourly' })).status).toBe(422);
  const made = await visitor.send(form, { cadence: 'weekly' });
  expect(made.headers.get('location')).toBe('/price-alerts?watched');
  expect(await searches()).toMatchObject([{ user_id: user.id, address: list, cadence: 'weekly' }]);
  const overview = await visitor.open('/price-alerts?watched');
  for (const words of ['We watch this search for you.', '“lamp”, Up to $60', 'Once a week']) {
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

test('what is no list is refused', async () => {
  const { visitor } = await enter();
  for (const of of ['', '//evil.example', '/admin', '/deals?search=the']) {
    const path = `/price-alerts/searches/new?${new URLSearchParams({ of })}`;
    expect((await visitor.open(path)).status).toBe(422);
    expect((await visitor.send(path, { cadence: 'daily' })).status).toBe(422);
  }
});

import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import { testVisitor, type Page, type TestVisitor } from '#test/visitor.ts';
import { limit } from '#app/platform/rate-limit.server.ts';

// Tests favorite lists and their secret links in a browser without JavaScript.

const database = useTestDatabase();
const site = testSite(database);
let ada: TestVisitor & { userId: string };
let dealId: string;

beforeEach(async () => {
  ada = await signedInVisitor(database, site, 'user', { email: 'ada@mail.example' });
  dealId = await newFavorite(ada, 'A copper kettle');
});

async function newFavorite(visitor: TestVisitor, title: string): Promise<string> {
  const { id } = await insertDeal(database.db, { title });
  const heart = { deal_id: String(id), want: 'set', return_to: '/favorites' };
  await visitor.send('/favorites', heart);
  return String(id);
}

async function newList(visitor: TestVisitor, name: string): Promise<string> {
  const made = await visitor.send('/favorites?new=', { intent: 'create-list', name });
  return /list=(\d+)/.exec(addressOf(made))?.[1] ?? '';
}

const addressOf = ({ headers }: Page) => headers.get('location') ?? '';
const chipsOf = ({ html }: Page) =>
  [...html.matchAll(/<a[^>]* href="\/favorites\?list=\d+"[^>]*>([^<]*)<\/a>/g)].map(
    ([, text]) => text,
  );
const linkOf = ({ html }: Page) => /value="https?:\/\/[^"/]+(\/lists\/[\w-]+)"/.exec(html)?.[1];

test('creates, fills, renames, deletes and restores a list with forms', async () => {
  await newFavorite(ada, 'A brass lamp');
  expect((await ada.open('/favorites?new=')).html).toContain('Create list');
  const list = await newList(ada, 'Kitchen');
  const empty = await ada.open(`/favorites?list=${list}`);
  expect([empty.status, empty.html.includes('This List Is Empty')]).toEqual([200, true]);

  const dialog = await ada.open(`/favorites?place=${dealId}`);
  expect(dialog.html).toContain(`name="shown" value="${list}"`);
  const placed = [
    ['intent', 'place-favorite'],
    ['deal_id', dealId],
    ['shown', list],
    ['list', list],
    ['name', 'Gifts for Mum'],
  ] satisfies [string, string][];
  expect(addressOf(await ada.send(`/favorites?place=${dealId}`, placed))).toBe('/favorites');
  expect(chipsOf(await ada.open('/favorites'))).toEqual(['Gifts for Mum 1', 'Kitchen 1']);
  const kitchen = await ada.open(`/favorites?list=${list}`);
  expect(kitchen.html).toContain('A copper kettle');
  expect(kitchen.html).not.toContain('A brass lamp');
  expect(kitchen.html).toContain('1 deal<');

  const renamed = { intent: 'rename-list', id: list, name: 'Cooking' };
  expect(addressOf(await ada.send(`/favorites?list=${list}&rename=`, renamed))).toBe(
    `/favorites?list=${list}`,
  );
  const deleted = addressOf(await ada.send('/favorites', { intent: 'delete-list', id: list }));
  expect(deleted).toBe(`/favorites?deleted=${list}`);
  const notice = await ada.open(deleted);
  expect(notice.html).toContain('“Cooking” deleted.');
  expect(chipsOf(notice)).toEqual(['Gifts for Mum 1']);
  await ada.send(deleted, { intent: 'restore-list', id: list });
  expect(chipsOf(await ada.open(deleted))).toEqual(['Cooking 1', 'Gifts for Mum 1']);
});

test('removes a deal from one list only, and undoes the removal', async () => {
  const list = await newList(ada, 'Kitchen');
  const fields = { id: list, deal_id: dealId };
  await ada.send('/favorites', { intent: 'add-to-list', ...fields });
  const inList = `/favorites?list=${list}&sort=change`;
  const removed = addressOf(await ada.send(inList, { intent: 'remove-from-list', ...fields }));
  expect(removed).toBe(`${inList}&removed=${dealId}`);
  const notice = await ada.open(removed);
  expect(notice.html).toContain(
    '“A copper kettle” removed from this list. It is still a favorite.',
  );
  expect((await ada.open('/favorites')).html).toContain('1 Favorite<');
  await ada.send(inList, { intent: 'add-to-list', ...fields });
  const back = await ada.open(removed);
  expect(back.html).not.toContain('removed from this list');
  expect(back.html).toContain('A copper kettle');
  expect(chipsOf(await ada.open('/favorites'))).toEqual(['Kitchen 1']);
});

test('offers to undo the removal of a favorite, which restores its lists', async () => {
  const list = await newList(ada, 'Kitchen');
  await ada.send('/favorites', { intent: 'add-to-list', id: list, deal_id: dealId });
  const here = `/favorites?list=${list}`;
  const heart = { deal_id: dealId, want: 'unset', return_to: here };
  const emptied = addressOf(await ada.send('/favorites', heart));
  expect(emptied).toBe(`${here}&emptied=${dealId}`);
  const page = await ada.open(emptied);
  expect(page.html).toContain('Removed from your favorites.');
  expect(page.html).toContain(`name="return_to" value="${here}"`);
  await ada.send('/favorites', { ...heart, want: 'set' });
  expect(chipsOf(await ada.open('/favorites'))).toEqual(['Kitchen 1']);
});

test('offers to undo the removal of the last list and the last favorite', async () => {
  const heart = { deal_id: dealId, want: 'unset', return_to: '/favorites' };
  const emptied = addressOf(await ada.send('/favorites', heart));
  expect((await ada.open(emptied)).html).toContain('Removed from your favorites.');
  const list = await newList(ada, 'Kitchen');
  const deleted = addressOf(await ada.send('/favorites', { intent: 'delete-list', id: list }));
  const { html } = await ada.open(deleted);
  expect(html).toContain('“Kitchen” deleted.');
  expect(html).toContain('No Favorites Yet');
});

test('offers to undo the removal of a favorite for one hour', async () => {
  const { id } = await insertDeal(database.db);
  expect((await ada.open(`/favorites?emptied=${id}`)).html).not.toContain('Removed from');
  const heart = { deal_id: dealId, want: 'unset', return_to: '/favorites' };
  const emptied = addressOf(await ada.send('/favorites', heart));
  await sql`update removed_favorites set removed_at = now() - interval '61 minutes'`.execute(
    database.db,
  );
  expect((await ada.open(emptied)).html).not.toContain('Removed from');
});

test('shows the error at the field, and keeps the typed name', async () => {
  const list = await newList(ada, 'Kitchen');
  const typed = (path: string, fields: Record<string, string>) => ada.send(path, fields);
  const refused = [
    await typed('/favorites?new=', { intent: 'create-list', name: 'KITCHEN' }),
    await typed(`/favorites?place=${dealId}`, {
      intent: 'place-favorite',
      deal_id: dealId,
      list,
      name: 'KITCHEN',
    }),
  ];
  // The choice was not stored, so the form keeps the list ticked.
  expect(refused[1]?.html).toMatch(new RegExp(`<input[^>]*checked=""[^>]*value="${list}"`));
  for (const { status, html } of refused) {
    expect(status).toBe(422);
    expect(html).toMatch(/<input[^>]*aria-invalid="true"[^>]*value="KITCHEN"/);
    expect(html).toContain('You already have a list with this name');
  }
  const empty = { intent: 'rename-list', id: list, name: ' ' };
  const { html } = await typed(`/favorites?list=${list}&rename=`, empty);
  expect(html).toContain('Enter a name for the list');
});

test('shares a list by a link that stops working after “Stop sharing”', async () => {
  const list = await newList(ada, 'Gifts for Mum');
  await ada.send('/favorites', { intent: 'add-to-list', id: list, deal_id: dealId });
  const dialog = `/favorites?list=${list}&share=`;
  expect(linkOf(await ada.open(dialog))).toBeUndefined();
  const share = { intent: 'share-list', id: list };
  await Promise.all([ada.send(dialog, share), ada.send(dialog, share)]);
  const link = linkOf(await ada.open(dialog)) ?? '';
  const visitor = testVisitor(site);
  const shared = await visitor.open(link);
  expect(shared.status).toBe(200);
  for (const text of ['Gifts for Mum', 'A copper kettle', 'noindex', 'A shared list of 1 deal.']) {
    expect(shared.html).toContain(text);
  }
  expect(shared.html).not.toMatch(new RegExp(`ada@mail|${ada.userId}|Favorite: `));

  const other = await signedInVisitor(database, site, 'user');
  const heart = { deal_id: dealId, want: 'set', return_to: link };
  expect((await other.open(link)).html).toContain('Favorite: A copper kettle');
  expect(addressOf(await other.send('/favorites', heart))).toBe(link);

  await ada.send(dialog, { intent: 'stop-sharing', id: list });
  expect(linkOf(await ada.open(dialog))).toBeUndefined();
  for (const path of [link, '/lists/none', '/lists/%F0%9F%8E%81']) {
    const { status, html } = await visitor.open(path);
    expect([path, status]).toEqual([path, 404]);
    expect(html).toContain('The link is incomplete, or the list is no longer shared.');
  }
  // The token of a former link is not recorded as a missing page.
  expect(await database.db.selectFrom('missed_paths').selectAll().execute()).toEqual([]);
});

test('P35d: shows no hidden price on a shared list, and no price from when it was saved', async () => {
  const { db } = database;
  const list = await newList(ada, 'Kitchen');
  await ada.send('/favorites', { intent: 'add-to-list', id: list, deal_id: dealId });
  await ada.send('/favorites', { intent: 'share-list', id: list });
  const link = linkOf(await ada.open(`/favorites?list=${list}&share=`)) ?? '';
  await db.updateTable('user_favorites').set({ kept_price: 7_531 }).execute();
  await db.updateTable('merchants').set({ hide_price_after_hours: 24 }).execute();
  const checked = new Date(Date.now() - 25 * 3_600_000);
  await db.updateTable('deals').set({ price_checked_at: checked, sale_price: 4_242 }).execute();
  const { html } = await testVisitor(site).open(link);
  expect(html).toContain('See price at store');
  expect(html).not.toMatch(/75\.31|7531|42\.42/);
  await db.updateTable('deals').set({ is_active: false }).execute();
  expect((await testVisitor(site).open(link)).html).toContain('This List Is Empty');
});

test('R59: offers an unverified account the verification email instead of a link', async () => {
  const list = await newList(ada, 'Kitchen');
  await database.db.updateTable('users').set({ email_verified: false }).execute();
  const { html } = await ada.open(`/favorites?list=${list}&share=`);
  expect(html).toContain('Verify your email address to share a list.');
  expect(html).not.toContain('Create secret link');
  const refused = await ada.send(`/favorites?list=${list}`, { intent: 'share-list', id: list });
  expect(refused.status).toBe(403);
});

test('R03: treats another user’s list as missing', async () => {
  const list = await newList(ada, 'Kitchen');
  const eve = await signedInVisitor(database, site, 'user');
  const own = await newFavorite(eve, 'A brass lamp');
  const intents = ['rename-list', 'delete-list', 'restore-list', 'share-list', 'stop-sharing'];
  for (const intent of [...intents, 'add-to-list', 'remove-from-list']) {
    const fields = { intent, id: list, name: 'Mine', deal_id: own };
    const missing = await eve.send('/favorites', { ...fields, id: '987654' });
    const theirs = await eve.send('/favorites', fields);
    expect([intent, theirs.status, missing.status]).toEqual([intent, 404, 404]);
    expect(theirs.html).toContain('This list no longer exists.');
  }
  for (const over of ['', '&rename=', '&share=', '&removed=1']) {
    const { status, html } = await eve.open(`/favorites?list=${list}${over}`);
    expect([over, status]).toEqual([over, 404]);
    expect(html).toContain('List Not Found');
    expect(html).not.toContain('Kitchen');
  }
  expect((await eve.open(`/favorites?deleted=${list}`)).html).not.toContain('Kitchen');
  expect(chipsOf(await ada.open('/favorites'))).toEqual(['Kitchen 0']);
});

test('R12: limits changes to lists like other changes to an account', async () => {
  await limit(testServices(database), 'member-write', ada.userId, 1_000);
  const refused = await ada.send('/favorites?new=', { intent: 'create-list', name: 'Kitchen' });
  expect([refused.status, refused.headers.get('retry-after') !== null]).toEqual([429, true]);
  // The dialog stays open and covers the page, so the message is inside it.
  expect(refused.html).toMatch(/<dialog.*role="alert"><p[^>]*>Too many.*<\/dialog>/s);
  expect(refused.html).toMatch(/<dialog.*value="Kitchen".*<\/dialog>/s);
  expect((await ada.send('/favorites', { intent: 'nonsense' })).status).toBe(429);
});

test.each(['nonsense', 'constructor'])('refuses the unknown intent “%s”', async (intent) => {
  expect((await ada.send('/favorites', { intent })).status).toBe(422);
});

test('redirects to the sign-in page when a signed-out visitor posts a form', async () => {
  const fields = { intent: 'create-list', name: 'Kitchen' };
  const sent = await testVisitor(site).send('/favorites?new=', fields);
  expect([sent.status, addressOf(sent)]).toEqual([302, '/sign-in?returnTo=%2Ffavorites%3Fnew%3D']);
});

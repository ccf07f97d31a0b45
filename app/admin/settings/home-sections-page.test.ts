import { beforeEach, expect, test } from 'vitest';
import { changeHome } from '#app/features/site-settings/change-home.server.ts';
import {
  defaultHomeSections,
  homeSectionNames,
  homeSectionsOf,
  moveHomeSection,
} from '#app/features/site-settings/home-sections.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { findPictureUses } from '#app/features/pictures/picture-uses.server.ts';
import {
  insertBlogPost,
  insertDeal,
  insertLibraryPicture,
  insertMerchant,
} from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { flashOf, signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
const screen = '/admin/home';
let admin: TestVisitor;
beforeEach(async () => {
  admin = await signedInVisitor(database, site, 'admin');
  await insertDeal(database.db, { is_featured: true });
  await insertMerchant(database.db, { is_featured: true });
  await insertBlogPost(database.db);
});

const home = async () => {
  const { status, html } = await site.page('/');
  expect(status).toBe(200);
  return /<main[^>]*>(.*?)<\/main>/s.exec(html)?.[1] ?? '';
};
const titles = async () =>
  [...(await home()).matchAll(/<h2[^>]*>([^<]*)<\/h2>/g)].map(([, title]) => title);
const act = (intent: string, name = '', place = 0) =>
  admin.send(screen, { intent, name, place: String(place) });
const save = async (values: Record<string, string>) => {
  const { html } = await admin.open(screen);
  const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? '';
  return admin.send(screen, { version, content: '', pictureUrl: '', pictureAlt: '', ...values });
};
const usual = [
  'Featured Deals',
  'Shop by Category',
  'Recently Added Deals',
  'Featured Merchants',
  'Latest Blog Posts',
  'Why Choose Deal Hub',
  'Stay Updated',
];

test('orders and hides sections of the home page, and restores the default', async () => {
  const before = await home();
  expect(await titles()).toEqual(usual);
  expect((await admin.open(screen)).html).not.toContain('Restore the default');
  await act('up', 'posts', 5);
  await act('up', 'posts', 4);
  const hidden = await act('hide', 'why', 6);
  expect(flashOf(hidden)).toBe('“Reasons” hidden.');
  expect(await titles()).toEqual([
    'Featured Deals',
    'Shop by Category',
    'Latest Blog Posts',
    'Recently Added Deals',
    'Featured Merchants',
    'Stay Updated',
  ]);
  await save({ title_recent: 'Fresh' });
  expect(await titles()).toContain('Fresh');
  expect((await admin.open(screen)).html).toContain('Restore the default');
  await act('reset');
  await act('reset');
  expect(await home()).toBe(before);
  const log = await database.db
    .selectFrom('audit_log')
    .select(['action', 'entity_id'])
    .where('entity_id', '=', 'home')
    .execute();
  expect(log).toHaveLength(5);
});

test('refuses to move a section that was moved since, or that is at the end of the list', async () => {
  await act('down', 'stats', 0);
  const again = await act('down', 'stats', 0);
  expect(again.status).toBe(302);
  expect((await admin.open(screen)).html).toContain('Someone else moved this section');
  expect(await changeHome(database.db, { kind: 'up', name: 'featured', place: 0 }, 'x')).toBe(true);
  const { homeSections } = await readSiteSettings(database.db);
  expect(homeSections.slice(0, 2).map(({ name }) => name)).toEqual(['featured', 'stats']);
  for (const [intent, name] of [
    ['up', 'constructor'],
    ['toString', 'stats'],
    ['', 'stats'],
  ] as const) {
    expect((await act(intent, name)).status).toBe(400);
  }
});

test('escapes the owner’s titles, and shows the default for a blank one', async () => {
  const title = 'Hot <b>$& $1</b> & cheap';
  await save({ title_featured: title, title_why: 'Why {name}?', title_newsletter: ' ' });
  expect(await titles()).toEqual([
    'Hot &lt;b&gt;$&amp; $1&lt;/b&gt; &amp; cheap',
    ...usual.slice(1, 5),
    'Why Deal Hub?',
    'Stay Updated',
  ]);
});

test('shows the owner’s block with sanitized text and its picture unless it is hidden', async () => {
  const { address, hash } = await insertLibraryPicture(database.db);
  const content = 'We **test** it. <script>alert(1)</script> [x](javascript:alert(1))';
  const saved = await save({
    title_own: 'About us',
    content,
    pictureUrl: address,
    pictureAlt: 'Our "desk"',
  });
  expect(flashOf(saved)).toBe('Settings saved.');
  expect(await titles()).toEqual(usual);
  await act('show', 'own', 8);
  await act('up', 'own', 8);
  const main = await home();
  expect(main).toContain('<strong>test</strong>');
  expect(main).toContain('alt="Our &quot;desk&quot;"');
  expect(main).not.toMatch(/<script>alert|javascript:/);
  expect((await titles()).slice(-2)).toEqual(['About us', 'Stay Updated']);
  expect((await findPictureUses(database.db, [hash])).get(hash)).toMatchObject({ total: 1 });
  await act('reset');
  expect(await titles()).toEqual(usual);
  expect((await readSiteSettings(database.db)).homeBlock.content).toBe(content);
});

test('shows nothing for an empty block', async () => {
  await act('show', 'own', 8);
  expect(await titles()).toEqual(usual);
  expect((await admin.open(screen)).html).toContain('>Empty<');
});

test.each([
  ['content', 'x'.repeat(5_001), 'Must be at most 5000 characters'],
  ['content', '>'.repeat(5_000), 'nested'],
  ['pictureUrl', 'https://other.example/a.png', 'Choose a picture from the media library'],
  ['pictureUrl', '/media/library/../../etc/passwd', 'Choose a picture from the media library'],
  ['title_recent', 'x'.repeat(81), 'Must be at most 80 characters'],
])('refuses an invalid %s and keeps what was typed', async (field, value, message) => {
  const { status, html } = await save({ pictureAlt: 'typed before', [field]: value });
  expect(status).toBe(422);
  expect(html).toContain(message);
  expect(html).toContain('value="typed before"');
});

test('previews the text without saving it', async () => {
  const { html, status } = await save({ intent: 'preview', content: 'A **preview**' });
  expect(status).toBe(200);
  expect(html).toContain('<strong>preview</strong>');
  expect((await readSiteSettings(database.db)).homeBlock.content).toBe('');
});

test('keeps both versions when two people save at once', async () => {
  const { html } = await admin.open(screen);
  const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? '';
  await save({ title_posts: 'Mine' });
  const late = await admin.send(screen, { version, title_posts: 'Theirs', content: '' });
  expect(late.status).toBe(409);
  expect(late.html).toContain('value="Theirs"');
});

test('links to the newsletter page when the newsletter section is hidden', async () => {
  const link = async () => (await site.page('/newsletter/confirm')).html;
  expect(await link()).toContain('href="/#newsletter"');
  await act('hide', 'newsletter', 7);
  expect(await link()).toContain('href="/newsletter"');
  expect(await link()).not.toContain('href="/#newsletter"');
});

test('completes a stored order that lacks sections or repeats one', () => {
  const stored = [
    { name: 'why', isOn: false },
    { name: 'why', isOn: true },
    { name: 'posts', isOn: true },
  ] as const;
  const all = homeSectionsOf(stored);
  expect(all.slice(0, 3)).toEqual([stored[0], stored[2], { name: 'stats', isOn: true }]);
  expect(all.map(({ name }) => name).toSorted()).toEqual([...homeSectionNames].toSorted());
  expect(homeSectionsOf([])).toEqual(defaultHomeSections);
  expect(moveHomeSection(all, { kind: 'up', name: 'why', place: 0 })).toEqual(all);
  expect(moveHomeSection(all, { kind: 'up', name: 'why', place: -1 })).toBeNull();
});

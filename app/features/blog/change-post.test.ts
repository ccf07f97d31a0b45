import { expect, test } from 'vitest';
import { array, assert, property, string } from '#test/fast-check.ts';
import { insertBlogPost } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { findPostBySlug, findPostRedirect } from './blog-queries.server.ts';
import {
  createPost,
  deletePost,
  findEditablePost,
  restorePost,
  setPostPublished,
  updatePost,
} from './change-post.server.ts';
import { postInput } from './post-input.ts';
import { postState } from './post-state.ts';
import { countPostFigures, listPostRows } from './post-table-queries.server.ts';
import { postTable } from './post-table.ts';
import { suggestReadTime } from './suggest-read-time.ts';

const database = useTestDatabase();
const typed = {
  title: 'How to buy a lamp',
  excerpt: 'Light, and how much of it.',
  content: '<p>Look at the bulb.</p>',
  featured_image_url: 'https://pictures.example/lamp.jpg',
};
const writer = { actor: 'u1', origin: 'https://deals.example' };
const input = (changes: Record<string, string> = {}) => ({
  ...postInput('Europe/Berlin').parse({ ...typed, ...changes }),
  author: 'Ada',
});
const audit = () =>
  database.db.selectFrom('audit_log').select(['action', 'before', 'after']).orderBy('id').execute();

async function create(changes: Record<string, string> = {}) {
  const saved = await createPost(database.db, input(changes), writer);
  if (!saved.ok) throw new Error(saved.reason);
  return saved.post;
}

function update(id: number, expectedVersion: number, changes: Record<string, string>) {
  return updatePost(database.db, id, input(changes), { ...writer, expectedVersion });
}

// Proves Back office 2: Blog post form: fields, New and Edit (post-form.tsx)
test('creates a post from its form: a draft, five minutes, distinct tags', async () => {
  const post = await create({ tags: ' Light , , lamps,LIGHT,  warm   white ' });
  expect(post).toMatchObject({
    slug: 'how-to-buy-a-lamp',
    is_published: false,
    published_at: null,
    read_time: 5,
    tags: ['Light', 'lamps', 'warm white'],
    seo_title: null,
    version: 1,
  });
  expect(await audit()).toMatchObject([{ action: 'post.create', before: null }]);
});

const tooMany = Array.from({ length: 21 }, (_, n) => `tag${n}`).join(',');
test.each([
  [{ title: ' ' }, { title: 'Title is required' }],
  [{ title: 'x'.repeat(201) }, { title: 'Must be at most 200 characters' }],
  [{ excerpt: '' }, { excerpt: 'Excerpt is required' }],
  [{ content: ' ' }, { content: 'Content is required' }],
  [{ content: 'ä'.repeat(140_000) }, { content: 'Content must be at most 200 KB' }],
  [
    { featured_image_url: '', is_published: 'on', title: '' },
    { featured_image_url: 'Featured image is required to publish', title: 'Title is required' },
  ],
  [{ featured_image_url: 'javascript:alert(1)' }, { featured_image_url: 'Must be a valid URL' }],
  [{ read_time: '0' }, { read_time: 'Must be a whole number from 1 to 60' }],
  [{ read_time: '61' }, { read_time: 'Must be a whole number from 1 to 60' }],
  [{ read_time: '2.5' }, { read_time: 'Must be a whole number from 1 to 60' }],
  [{ read_time: 'x' }, { read_time: 'Must be a whole number from 1 to 60' }],
  [{ tags: tooMany }, { tags: 'At most 20 tags' }],
  [{ tags: 'x'.repeat(41) }, { tags: 'A tag has at most 40 characters' }],
  [{ slug: 'A Lamp' }, { slug: 'Slug must contain only lowercase letters, numbers, and hyphens' }],
  [{ published_at: 'tomorrow' }, { published_at: 'Must be a date and time' }],
  [{ published_at: '0001-01-01T00:00' }, { published_at: 'Must be a date and time' }],
])('rejects %j next to its field', (changes: Record<string, string>, errors) => {
  const parsed = postInput('UTC').safeParse({ ...typed, ...changes });
  expect(parsed.error && fieldErrors(parsed.error)).toEqual(errors);
});

test('saves a draft without a picture, and publishes it only with one', async () => {
  const { id } = await create({ featured_image_url: ' ' });
  const refused = { ok: false, reason: 'no-picture' };
  expect(await setPostPublished(database.db, id, true, 'u1')).toEqual(refused);
  await update(id, 1, { featured_image_url: '/media/library/0a-640.webp' });
  expect(await setPostPublished(database.db, id, true, 'u1')).toEqual({ ok: true });
});

test('keeps deals in the content, even if there is nothing else', async () => {
  const post = await create({ content: '<hr data-deal="12" title="Lamp" onclick="x">' });
  expect(post.content).toBe('<hr data-deal="12" title="Lamp" />');
  const empty = await createPost(database.db, input({ content: '<hr><p> </p>' }), writer);
  expect(empty).toEqual({ ok: false, reason: 'content-empty' });
});

// Proves Back office 5: Blog form: read_time, tags, SEO fallbacks (post-input.ts)
// Proves Back office 5: Blog form: required, 1 to 60, tags, SEO fallbacks (post-input.ts)
test('trims typed tags, and keeps non-empty ones within the limits', () => {
  assert(
    property(array(string({ maxLength: 50 }), { maxLength: 30 }), (parts) => {
      const parsed = postInput('UTC').safeParse({ ...typed, tags: parts.join(',') });
      if (!parsed.success) return;
      const { tags } = parsed.data;
      expect(tags.length).toBeLessThanOrEqual(20);
      for (const tag of tags) {
        expect(tag).toBe(tag.trim());
        expect(tag.length).toBeGreaterThan(0);
        expect(tag.length).toBeLessThanOrEqual(40);
      }
    }),
  );
});

test('R17: stores sanitized content of any author', async () => {
  const { content } = await create({
    content: '<p onclick="x()">Hi<script>alert(1)</script></p><img src="/media/a.webp" style="x">',
  });
  expect(content).not.toMatch(/onclick|script|style/);
  expect(content).toContain('<p>Hi</p>');
});

test.each(['<p></p>', '<p>&nbsp; </p><h2></h2>', '<script>alert(1)</script>'])(
  'treats content that consists of tags as empty: %s',
  async (content) => {
    expect(await createPost(database.db, input({ content }), writer)).toEqual({
      ok: false,
      reason: 'content-empty',
    });
    const { id } = await create();
    expect(await update(id, 1, { content })).toEqual({ ok: false, reason: 'content-empty' });
  },
);

// Proves R22: blog HTML 200 KB, tags 20 x 40
test('R22: limits sanitized content to 200 KB, and accepts what it saved before', async () => {
  const of = (bytes: number) => `<p>${'x'.repeat(bytes - 7)}</p>`;
  expect(await createPost(database.db, input({ content: of(204_801) }), writer)).toEqual({
    ok: false,
    reason: 'content-too-long',
  });
  const { id, content } = await create({ content: of(204_800) });
  expect(await update(id, 1, { content })).toMatchObject({ ok: true });
});

test('accepts a single picture as content', async () => {
  expect((await create({ content: '<img src="/media/a.webp" alt="">' })).content).toContain('<img');
});

test('P6: makes a unique slug from the title, and redirects from an old one', async () => {
  const first = await create({ is_published: 'on' });
  expect((await create()).slug).toBe('how-to-buy-a-lamp-2');
  expect((await create({ title: '☕' })).slug).toBe('post');
  expect((await create({ title: '日本' })).slug).toBe('riben');
  expect(await update(first.id, 1, { slug: 'lamps', is_published: 'on' })).toMatchObject({
    ok: true,
  });
  expect(await findPostRedirect(database.db, 'how-to-buy-a-lamp')).toBe('lamps');
  // The old URL still belongs to the first post.
  expect((await create()).slug).toBe('how-to-buy-a-lamp-3');
  // A blank slug keeps the current one.
  expect(await update(first.id, 2, { title: 'Other' })).toMatchObject({ post: { slug: 'lamps' } });
});

test('P43: reports that a slug is already in use', async () => {
  await create({ slug: 'lamp' });
  const refused = { ok: false, reason: 'slug-taken' };
  expect(await createPost(database.db, input({ slug: 'lamp' }), writer)).toEqual(refused);
  const other = await create({ slug: 'other' });
  expect(await update(other.id, 1, { slug: 'lamp' })).toEqual(refused);
});

// Proves R47: last-write protection
// Proves R42: audit
test('R47: rejects saving an outdated version and returns the current one', async () => {
  const { id } = await create();
  expect(await update(id, 1, { title: 'First' })).toMatchObject({ ok: true, post: { version: 2 } });
  expect(await update(id, 1, { title: 'Second' })).toMatchObject({
    ok: false,
    reason: 'changed-meanwhile',
    current: { title: 'First', version: 2 },
  });
  expect((await findEditablePost(database.db, id))?.title).toBe('First');
  // R42: only changed fields are logged.
  expect((await audit()).at(-1)).toEqual({
    action: 'post.update',
    before: { title: 'How to buy a lamp' },
    after: { title: 'First' },
  });
});

test('R47: counts the publish toggle as a change, so that an open form does not undo it', async () => {
  const { id } = await create();
  await setPostPublished(database.db, id, true, 'u2');
  expect(await update(id, 1, {})).toMatchObject({ reason: 'changed-meanwhile' });
});

// Proves Back office 4: Blog post: published_at is set when published
// Proves Back office 4: Blog post: dated when first published
test('sets the date of a post that is published without one, and keeps it', async () => {
  const { id } = await create();
  expect(await update(id, 1, { is_published: 'on' })).toMatchObject({
    post: { published_at: expect.any(Date) },
  });
  const { published_at } = (await findEditablePost(database.db, id)) ?? {};
  // The form has minutes only. Saving it again keeps the seconds.
  const minute = published_at?.toISOString().slice(0, 16) ?? '';
  const again = postInput('UTC').parse({ ...typed, published_at: minute });
  await updatePost(database.db, id, { ...again, author: 'Ada' }, { ...writer, expectedVersion: 2 });
  expect((await findEditablePost(database.db, id))?.published_at).toEqual(published_at);
});

// Proves P40: is_published alone marks a draft
test('P40: toggles is_published alone, and keeps the title and the first date', async () => {
  const { id, title } = await create();
  expect(await setPostPublished(database.db, id, true, 'u1')).toEqual({ ok: true });
  const published = await findEditablePost(database.db, id);
  expect(published).toMatchObject({ title, is_published: true, version: 2 });
  await setPostPublished(database.db, id, false, 'u1');
  expect(await findEditablePost(database.db, id)).toMatchObject({
    title,
    is_published: false,
    published_at: published?.published_at,
  });
  // Repeating the action changes nothing.
  await setPostPublished(database.db, id, false, 'u1');
  expect((await audit()).map(({ action }) => action)).toEqual([
    'post.create',
    'post.publish',
    'post.unpublish',
  ]);
  expect(await setPostPublished(database.db, 999, true, 'u1')).toEqual({
    ok: false,
    reason: 'not-found',
  });
});

test('reads a publication time in the site’s time zone', async () => {
  const { published_at } = await create({ published_at: '2090-07-01T09:00' });
  expect(published_at).toEqual(new Date('2090-07-01T07:00:00Z'));
});

test('schedules a published post with a future date, hidden from readers', async () => {
  const post = await create({ is_published: 'on', published_at: '2090-07-01T09:00' });
  expect(postState(post, new Date())).toBe('scheduled');
  expect(postState(post, new Date('2090-07-01T07:00:00Z'))).toBe('published');
  expect(postState({ ...post, is_published: false }, new Date())).toBe('draft');
  expect(await findPostBySlug(database.db, post.slug)).toBeNull();
});

test('restores a post with its old id after any user deleted it', async () => {
  const post = await create({ tags: 'a, b', is_published: 'on' });
  expect(await deletePost(database.db, post.id, 'u1')).toEqual({ ok: true });
  expect(await deletePost(database.db, post.id, 'u1')).toEqual({ ok: false });
  const tooLate = { ok: false, reason: 'too-late' };
  expect(await restorePost(database.db, post.id, 'u2')).toEqual(tooLate);
  expect(await restorePost(database.db, post.id, 'u1')).toEqual({ ok: true });
  expect(await findEditablePost(database.db, post.id)).toEqual(post);
  expect(await restorePost(database.db, post.id, 'u1')).toEqual({
    ok: false,
    reason: 'there-again',
  });
});

test('does not restore a post whose slug was taken meanwhile', async () => {
  const { id } = await create();
  await deletePost(database.db, id, 'u1');
  await create();
  expect(await restorePost(database.db, id, 'u1')).toEqual({ ok: false, reason: 'slug-taken' });
});

// Proves Back office 2: Blog management: cards, table, toggle, delete, empty (manage-posts-page.tsx)
// Proves Back office 7: Blog: all with drafts, create, update, delete (post-table-queries.server.ts)
test('searches, filters, sorts and counts posts in the database', async () => {
  const day = (n: number) => new Date(Date.UTC(2026, 0, n));
  await insertBlogPost(database.db, { title: 'beta', published_at: day(1), excerpt: '100 % wool' });
  await insertBlogPost(database.db, { title: 'Alpha', published_at: day(3), is_featured: true });
  await insertBlogPost(database.db, {
    title: 'Gamma',
    is_published: false,
    published_at: null,
    created_at: day(2),
    tags: ['Wool care'],
  });
  await insertBlogPost(database.db, { title: 'Later', published_at: new Date('2090-01-01') });
  const titles = async (search: string) => {
    const query = parseTableQuery(postTable, new URLSearchParams(search));
    return (await listPostRows(database.db, query)).rows.map((row) => row.title);
  };
  expect(await titles('')).toEqual(['Later', 'Alpha', 'Gamma', 'beta']);
  expect(await titles('sort=title')).toEqual(['Alpha', 'beta', 'Gamma', 'Later']);
  expect(await titles('q=WOOL')).toEqual(['Gamma', 'beta']);
  // R21: a percent sign is not a wildcard.
  expect(await titles('q=%25')).toEqual(['beta']);
  expect(await titles('status=draft')).toEqual(['Gamma']);
  expect(await titles('status=scheduled')).toEqual(['Later']);
  expect(await titles('status=published')).toEqual(['Alpha', 'beta']);
  expect(await titles('show=featured')).toEqual(['Alpha']);
  expect(await countPostFigures(database.db)).toEqual({
    total: 4,
    published: 2,
    scheduled: 1,
    drafts: 1,
  });
});

// Proves Back office 9: Read time 1 to 60, default 5 (post-input.ts)
test('suggests the reading time from the number of words, from 1 to 60 minutes', () => {
  const of = (words: number) => suggestReadTime(`<p>${'word '.repeat(words)}</p>`);
  expect(of(0)).toEqual({ words: 0, minutes: 1 });
  expect(of(660)).toEqual({ words: 660, minutes: 3 });
  expect(of(100_000).minutes).toBe(60);
  expect(suggestReadTime('<p class="one two">Caf&eacute;&nbsp;au <b>lait</b> — 2</p>').words).toBe(
    4,
  );
});

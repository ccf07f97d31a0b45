import { expect, test } from 'vitest';
import { insertBlogPost, insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database);
const admin = () => signedInVisitor(database, site, 'admin');
const posts = () =>
  database.db
    .selectFrom('blog_posts')
    .select(['id', 'title', 'slug', 'content', 'author', 'is_published', 'version'])
    .orderBy('id')
    .execute();
const typed = {
  title: 'How to buy a lamp',
  excerpt: 'Light, and how much of it.',
  content: '<p>Look at the <b>bulb</b>.</p>',
  featured_image_url: 'https://pictures.example/lamp.jpg',
  tags: 'Light, lamps',
};

test('creates a post with the form without JavaScript and shows it to readers', async () => {
  const visitor = await admin();
  const form = await visitor.open('/admin/blog/new');
  expect(form.html).toMatch(/<textarea[^>]* name="content"/);
  expect(form.html).toContain('value="Deal Hub Team"');
  // Save must work without JavaScript, so the server never disables it.
  expect(form.html).not.toMatch(/<button[^>]* disabled=""[^>]*>Save</);
  const sent = await visitor.send('/admin/blog/new', { ...typed, is_published: 'on' });
  expect([sent.status, sent.headers.get('location')]).toEqual([302, '/admin/blog']);
  const list = await visitor.open('/admin/blog');
  expect(list.html).toContain('Blog post created successfully!');
  expect(list.html).toContain('Light, and how much of it.');
  expect(list.html).toContain('href="/blog/how-to-buy-a-lamp"');
  expect((await visitor.open('/admin/blog')).html).not.toContain('created successfully');
  const article = await site.page('/blog/how-to-buy-a-lamp');
  expect(article.html).toContain('Look at the <b>bulb</b>.');
  expect(article.html).toMatch(/By (<!-- -->)?Deal Hub Team/);
  // SEO title and description fall back to title and excerpt.
  expect(article.html).toMatch(/<title>How to buy a lamp/);
  expect(article.html).toContain('content="Light, and how much of it."');
});

test('shows errors at their fields and keeps the input', async () => {
  const { status, html } = await (
    await admin()
  ).send('/admin/blog/new', {
    ...typed,
    title: ' ',
    content: '',
    excerpt: 'Warm & bright',
    read_time: '99',
    featured_image_url: 'no address',
  });
  expect(status).toBe(422);
  expect(html).toContain('Failed to create blog post');
  expect(html).toContain('Title: Title is required');
  expect(html).toContain('Content: Content is required');
  expect(html).toContain('Read Time (minutes): Must be a whole number from 1 to 60');
  expect(html).toContain('Featured Image URL: Must be a valid URL');
  expect(html).toContain('Warm &amp; bright</textarea>');
  expect(html).toContain('value="no address"');
  const [field = ''] = /<input[^>]*name="title"[^>]*>/.exec(html) ?? [];
  const [, note = 'none'] = /aria-describedby="([^"]+)"/.exec(field) ?? [];
  expect(html).toMatch(new RegExp(`<p id="${note}"[^>]*>Title is required</p>`));
  expect(await posts()).toEqual([]);
});

test('saves a draft without a picture, and asks for one to publish it', async () => {
  const visitor = await admin();
  const draft = { ...typed, featured_image_url: '' };
  expect((await visitor.send('/admin/blog/new', draft)).status).toBe(302);
  const [post] = await posts();
  const message = 'Featured image is required to publish';
  const form = { ...draft, is_published: 'on', version: '1' };
  const refused = await visitor.send(`/admin/blog/edit/${post?.id}`, form);
  expect([refused.status, refused.html.includes(message)]).toEqual([422, true]);
  await visitor.send('/admin/blog', { intent: 'publish', id: String(post?.id) });
  expect((await visitor.open('/admin/blog')).html).toContain(message);
  expect((await posts())[0]?.is_published).toBe(false);
});

test('finds live deals for a post, and shows them in the preview and in the editor', async () => {
  const visitor = await admin();
  const lamp = await insertDeal(database.db, { title: 'Desk lamp' });
  await insertDeal(database.db, { title: 'Chair' });
  const found = JSON.parse((await visitor.open('/admin/blog/deals?q=lamp')).html) as {
    deals: { id: number }[];
  };
  expect(found.deals.map(({ id }) => id)).toEqual([lamp.id]);
  const content = `<p>Look</p><hr data-deal="${lamp.id}" title="The lamp">`;
  const preview = await visitor.send('/admin/blog/new', { ...typed, content, intent: 'preview' });
  expect(preview.html).toContain(`<a href="/deals/${lamp.id}">The lamp</a>`);
  await visitor.send('/admin/blog/new', { ...typed, content });
  const [post] = await posts();
  const { html } = await visitor.open(`/admin/blog/preview/${post?.id}`);
  expect(html).toContain(`href="/deals/${lamp.slug}"`);
});

test('reports empty content of a post at its field', async () => {
  const sent = await (await admin()).send('/admin/blog/new', { ...typed, content: '<p></p>' });
  expect(sent.status).toBe(422);
  expect(sent.html).toContain('Content: Content is required');
});

test('reports at a post’s slug field that the slug is in use', async () => {
  await insertBlogPost(database.db, { slug: 'lamp' });
  const sent = await (await admin()).send('/admin/blog/new', { ...typed, slug: 'lamp' });
  expect(sent.status).toBe(422);
  expect(sent.html).toContain('Slug: Another blog post has this slug.');
});

test('shows a post’s sanitized content in the preview, keeps the input and saves nothing', async () => {
  const visitor = await admin();
  const { id } = await insertBlogPost(database.db, { title: 'Before' });
  const path = `/admin/blog/edit/${id}`;
  const content = '<p onclick="x()">Fresh<script>alert(1)</script></p>';
  const shown = await visitor.send(path, {
    ...typed,
    content,
    version: '1',
    intent: 'preview',
  });
  expect(shown.status).toBe(200);
  expect(shown.html).toMatch(/aria-label="Preview"[^>]*><div[^>]*><p>Fresh<\/p>/);
  expect(shown.html).toContain('value="How to buy a lamp"');
  expect(shown.html).toContain('name="version" value="1"');
  expect(await posts()).toMatchObject([{ title: 'Before', version: 1 }]);
});

test('R47: does not let an old version overwrite a new one after a preview', async () => {
  const visitor = await admin();
  const { id } = await insertBlogPost(database.db);
  const path = `/admin/blog/edit/${id}`;
  await visitor.send(path, { ...typed, title: 'Theirs', version: '1' });
  const shown = await visitor.send(path, { ...typed, version: '1', intent: 'preview' });
  expect(shown.html).toContain('name="version" value="1"');
});

test('R47: shows both versions to the second of two users who save a post, and lets them overwrite', async () => {
  const visitor = await admin();
  const { id } = await insertBlogPost(database.db, { title: 'Old', slug: 'old' });
  const path = `/admin/blog/edit/${id}`;
  const sent = await visitor.send(path, { ...typed, title: 'Theirs', version: '1' });
  expect(sent.headers.get('location')).toBe('/admin/blog');
  expect((await visitor.open('/admin/blog')).html).toContain('Blog post updated successfully!');
  const beginning = 'same '.repeat(200);
  const mine = { ...typed, title: 'Mine', content: `<p>${beginning}and mine</p>` };
  const late = await visitor.send(path, { ...mine, version: '1' });
  expect(late.status).toBe(409);
  expect(late.html).toContain('Failed to update blog post');
  expect(late.html).toContain('Someone else saved this blog post in the meantime.');
  expect(late.html).toMatch(/<td>Theirs<\/td><td>Mine<\/td>/);
  expect(late.html).toContain('name="version" value="2"');
  expect((await visitor.send(path, { ...mine, version: '2' })).status).toBe(302);
  expect(await posts()).toMatchObject([{ title: 'Mine', version: 3 }]);
});

test('P40: publishes and unpublishes a post with the toggle, offers Undo, and keeps the search', async () => {
  const visitor = await admin();
  const { id } = await insertBlogPost(database.db, {
    title: 'Lamp',
    featured_image_url: '/media/lamp-640.webp',
    is_published: false,
    published_at: null,
  });
  const draft = (await visitor.open('/admin/blog')).html;
  expect(draft).toContain(`href="/admin/blog/preview/${id}"`);
  expect(draft).not.toContain('>View<');
  const sent = await visitor.send('/admin/blog?q=lamp', { intent: 'publish', id: String(id) });
  expect(sent.headers.get('location')).toBe('/admin/blog?q=lamp');
  const { html } = await visitor.open('/admin/blog?q=lamp');
  expect(html).toContain('Blog post status updated successfully!');
  expect(html).toContain('value="unpublish"');
  expect(html).toContain('>View<');
  expect(await posts()).toMatchObject([{ title: 'Lamp', is_published: true }]);
  await visitor.send('/admin/blog', { intent: 'unpublish', id: '999' });
  expect((await visitor.open('/admin/blog')).html).toContain('Failed to update blog post');
});

// Proves Back office 2: Blog management: delete, its sentences (manage-posts-page.tsx)
test('asks the specification’s question before deleting a post, and restores it on Undo', async () => {
  const visitor = await admin();
  const { id } = await insertBlogPost(database.db, { title: 'Lamp', slug: 'lamp' });
  const before = (await visitor.open('/admin/blog')).html;
  expect(before).toContain('Are you sure you want to delete this blog post?');
  await visitor.send('/admin/blog?q=lamp', { intent: 'delete', id: String(id) });
  const { html } = await visitor.open('/admin/blog?q=lamp');
  expect(html).toContain('Blog post deleted successfully!');
  expect(html).toContain('>Undo<');
  expect((await site.page('/blog/lamp')).status).toBe(404);
  await visitor.send('/admin/blog?q=lamp', { intent: 'restore', id: String(id) });
  expect((await visitor.open('/admin/blog')).html).toContain('The blog post was restored.');
  expect((await site.page('/blog/lamp')).status).toBe(200);
  await visitor.send('/admin/blog', { intent: 'delete', id: '999' });
  expect((await visitor.open('/admin/blog')).html).toContain('Failed to delete blog post');
  await visitor.send('/admin/blog', { intent: 'restore', id: '999' });
  expect((await visitor.open('/admin/blog')).html).toContain('could not be restored');
});

// Proves Back office 2: Blog management: New Post, cards, table, empty (manage-posts-page.tsx)
test('counts posts in the admin, and describes the empty list', async () => {
  const visitor = await admin();
  const empty = (await visitor.open('/admin/blog')).html;
  expect(empty).toContain('No blog posts yet');
  expect(empty).toContain('Create First Post');
  expect((await visitor.open('/admin/blog?q=zzz')).html).toContain('No blog posts found');
  await insertBlogPost(database.db, { published_at: new Date('2026-03-01T12:00:00Z') });
  const one = (await visitor.open('/admin/blog')).html;
  expect(one).toContain('Mar 1, 2026');
  expect(one).not.toContain('>Scheduled <strong>');
  await insertBlogPost(database.db, { published_at: new Date('2090-03-01T12:00:00Z') });
  const two = (await visitor.open('/admin/blog')).html;
  expect(two).toContain('>Scheduled <strong>');
  expect(two).toContain('Total Posts');
});

test('shows the preview of a draft to staff only, and never caches it', async () => {
  const { id } = await insertBlogPost(database.db, {
    title: 'Secret lamp',
    slug: 'secret',
    is_published: false,
    content: '<p>Soon<script>alert(1)</script></p>',
  });
  const path = `/admin/blog/preview/${id}`;
  const { status, html } = await (await admin()).open(path);
  expect(status).toBe(200);
  expect(html).toContain('Draft: only staff can see this.');
  expect(html).toContain('<p>Soon</p>');
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect((await site.page(path)).status).toBe(401);
  expect((await site.page('/blog/secret')).status).toBe(404);
});

// Proves Back office 4: Blog post: a planned one is on no page before its time (blog-queries.server.ts)
test('hides a scheduled post from all public pages until its time', async () => {
  const { id } = await insertBlogPost(database.db, {
    title: 'Planned lamp',
    slug: 'planned',
    tags: ['Light'],
    published_at: new Date('2090-03-01T12:00:00Z'),
  });
  await insertBlogPost(database.db, { slug: 'present', tags: ['Light'] });
  const pages = ['/', '/blog', '/blog/present', '/blog/tags/Light', '/blog/planed-lamp'];
  const files = ['/feeds/blog.xml', '/feeds/blog.json', '/sitemaps/blog.xml'];
  for (const path of [...pages, ...files]) {
    expect((await site.page(path)).html, path).not.toMatch(/planned/i);
  }
  expect((await site.page('/blog/planned')).status).toBe(404);
  const { html } = await (await admin()).open(`/admin/blog/preview/${id}`);
  expect(html).toContain('Scheduled: readers see this from March 1, 2090');
});

test('previews a post’s drawn share picture, or its own picture if that is on another host', async () => {
  const visitor = await admin();
  const shared = async (featured_image_url: string) => {
    const { id } = await insertBlogPost(database.db, { featured_image_url });
    const { html } = await visitor.open(`/admin/blog/edit/${id}`);
    const [, src] = /When shared<\/figcaption>.*?<img src="([^"]*)"/s.exec(html) ?? [];
    return src?.replace(`post-${id}-`, 'post-ID-');
  };
  expect(await shared('/media/lamp-640.webp')).toMatch(/^\/share-pictures\/post-ID-/);
  expect(await shared(typed.featured_image_url)).toBe(typed.featured_image_url);
});

// Proves Back office 2: Blog post form: "Blog post not found" (edit-post-page.tsx)
test('returns 404 for a missing post, in the admin layout', async () => {
  const visitor = await admin();
  for (const path of ['edit/999', 'edit/x', 'edit/0', 'preview/999', 'preview/-1']) {
    const { status, html } = await visitor.open(`/admin/blog/${path}`);
    expect([status, html.includes('Blog post not found')], path).toEqual([404, true]);
  }
  const sent = await visitor.send('/admin/blog/edit/999', { ...typed, version: '1' });
  expect(sent.status).toBe(404);
});

test.each(['/admin/blog', '/admin/blog/new', '/admin/blog/edit/1', '/admin/blog/preview/1'])(
  'R01: restricts %s to staff',
  async (path) => {
    expect((await site.page(path)).status).toBe(401);
    expect((await (await signedInVisitor(database, site, 'user')).open(path)).status).toBe(403);
  },
);

import { beforeEach, describe, expect, test } from 'vitest';
import { findLivePaths, isFixedPath, isSitePath } from '#app/features/catalog/live-paths.server.ts';
import { textNames } from '#app/features/pages/site-texts.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { routePatterns } from '#test/route-patterns.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
let admin: TestVisitor;
beforeEach(async () => void (admin = await signedInVisitor(database, site, 'admin')));

const page = { title: 'Shipping', content: '## Where we ship\n\n**Everywhere**', is_visible: 'on' };
const add = (more: Record<string, string> = {}) =>
  admin.send('/admin/pages/new', { ...page, ...more });
const stored = () => database.db.selectFrom('site_pages').selectAll().orderBy('id').execute();
const onlyPage = async () => {
  const [row] = await stored();
  if (!row) throw new Error('no page is stored');
  return row;
};
const edit = async (more: Record<string, string>) => {
  const { id, version } = await onlyPage();
  return admin.send(`/admin/pages/${id}/edit`, { ...page, version: String(version), ...more });
};
const act = (intent: string, id: number) => admin.send('/admin/pages', { intent, id: String(id) });
const leadsTo = async (path: string) => {
  const { status, headers } = await site.request(path);
  return [status, headers.get('location')];
};
const write = (name: string, more: Record<string, string>) =>
  admin.send(`/admin/pages/texts/${name}`, { title: 'Ours', intro: '', ...more });

describe('an owner’s page', () => {
  test('shows a page’s Markdown at its URL, with the title and descriptions of its head', async () => {
    const head = { seo_title: 'We ship', seo_description: 'All countries', share_text: 'Look' };
    expect((await add({ intro: 'To *you*', ...head })).status).toBe(302);
    const { status, html } = await site.page('/shipping');
    expect(status).toBe(200);
    expect(html).toContain('<h1>Shipping</h1>');
    expect(html).toContain('To <em>you</em>');
    expect(html).toContain('<h2>Where we ship</h2>');
    expect(html).toContain('<strong>Everywhere</strong>');
    expect(html).toMatch(/<title>We ship \| /);
    expect(html).toContain('content="All countries"');
    expect(html).toContain('property="og:description" content="Look"');
    expect((await site.page('/sitemaps/pages.xml')).html).toContain('/shipping</loc>');
    expect((await site.page('/llms.txt')).html).toContain('- [Shipping](');
  });

  test('excludes a page from search engines, the sitemap and llms.txt if its setting says so', async () => {
    await add({ noindex: 'on' });
    expect((await site.page('/shipping')).html).toContain('content="noindex, follow"');
    expect((await site.page('/sitemaps/pages.xml')).html).not.toContain('/shipping');
    expect((await site.page('/llms.txt')).html).not.toContain('/shipping');
  });

  test('removes scripts and hostile links from Markdown and HTML', async () => {
    const content = `<script>alert(1)</script><svg onload=alert(1)></svg><img src=x onerror=alert(1)>
[a](javascript:alert(1)) <a href="data:text/html,x">b</a> ![c](javascript:x) <iframe src="//x"></iframe>`;
    await add({ content, intro: '[d](javascript:alert(2)) <b onclick=x>e</b>', title: '<b>T</b>' });
    const [{ slug } = { slug: '' }] = await stored();
    const main = /<main.*<\/main>/s.exec((await site.page(`/${slug}`)).html)?.[0] ?? '';
    expect(main).toContain('&lt;b&gt;T&lt;/b&gt;');
    expect(main).not.toMatch(/<script|javascript:|onerror|onload|onclick|<iframe|<svg|data:text/);
    const preview = await admin.send('/admin/pages/new', { ...page, content, intent: 'preview' });
    const shown = /aria-label="Preview".*?<\/section>/s.exec(preview.html)?.[0] ?? '';
    expect(shown).toContain('>b</a>');
    expect(shown).not.toMatch(/<script|javascript:|onerror/);
  });

  test('returns 404 to visitors while a page is a draft', async () => {
    await add({ is_visible: '' });
    expect((await leadsTo('/shipping'))[0]).toBe(404);
    const { id } = await onlyPage();
    expect((await act('show', id)).status).toBe(302);
    expect((await leadsTo('/shipping'))[0]).toBe(200);
    await act('hide', id);
    await act('hide', id);
    expect((await leadsTo('/shipping'))[0]).toBe(404);
    expect((await site.page('/sitemaps/pages.xml')).html).not.toContain('/shipping');
  });

  test.each([
    [{ title: '' }, 'Title is required'],
    [{ title: 'x'.repeat(201) }, 'Must be at most 200 characters'],
    [{ slug: 'Über uns' }, 'Slug must contain only lowercase letters'],
    [{ slug: '---' }, 'Slug must contain a letter or a number'],
    [{ slug: 'a//b' }, 'single slashes'],
    [{ slug: 'a/../b' }, 'Slug must contain only lowercase letters'],
    [{ slug: 'a/--/b' }, 'Slug must contain a letter or a number between slashes'],
    [{ slug: 'favicon.ico' }, 'Slug must contain only lowercase letters'],
    [{ slug: `a/${'x'.repeat(200)}` }, 'Must be at most 200 characters'],
    [{ intro: 'x'.repeat(1_001) }, 'Must be at most 1000 characters'],
    [{ content: ' ' }, 'Content is required'],
    [{ content: 'x'.repeat(100_001) }, 'Must be at most 100000 characters'],
    [{ content: '> '.repeat(45_000) }, 'nested too deeply'],
    [{ seo_title: 'x'.repeat(201) }, 'Must be at most 200 characters'],
    [{ seo_description: 'x'.repeat(501) }, 'Must be at most 500 characters'],
    [{ share_text: 'x'.repeat(501) }, 'Must be at most 500 characters'],
  ])('refuses %o at its field and keeps the rest', async (wrong, message) => {
    const { status, html } = await add(wrong);
    expect([status, html.includes(message)]).toEqual([422, true]);
    expect(html).toContain('Shipping' in wrong ? '' : 'name="title"');
    expect(await stored()).toEqual([]);
  });

  test('refuses every URL that the site uses itself, with the reason', async () => {
    const firsts = routePatterns().map(({ pattern }) => pattern.split('/')[1] ?? '');
    const asked = new Set([...firsts, ...textNames, 'media', 'assets', 'art']);
    const possible = [...asked].filter((slug) => /^[a-z0-9-]+$/.test(slug));
    expect(possible.filter((slug) => !isFixedPath(`/${slug}`))).toEqual([]);
    const folders = routePatterns().flatMap(({ pattern }) => /^\/[a-z0-9-]+\//.exec(pattern) ?? []);
    expect(folders.length).toBeGreaterThan(100);
    expect(folders.filter((folder) => !isSitePath(`${folder}a/b`))).toEqual([]);
    const nested = ['deals/tv', 'blog/a/b', 'admin/x', 'api/v2/x', 'profile/me', 'health/live'];
    for (const slug of ['deals', 'admin', 'api', 'about', 'privacy', 'out', 'media', ...nested]) {
      const { status, html } = await add({ slug });
      expect([slug, status]).toEqual([slug, 422]);
      expect(html).toContain(`/${slug} is an address of the site itself`);
    }
    const { html } = await add({ title: 'Deals' });
    expect(html).toContain('/deals is an address of the site itself');
    expect(await stored()).toEqual([]);
  });

  test('hides a page while its slug is an address of the site itself', async () => {
    expect((await add({ slug: 'check' })).status).toBe(422);
    await add({ slug: 'checked' });
    await database.db.updateTable('site_pages').set({ slug: 'check' }).execute();
    const { status, html } = await site.page('/check');
    expect(status).toBe(200);
    expect(html).toContain('Is this price real?');
    expect(html).not.toContain('Where we ship');
    expect((await site.page('/sitemaps/pages.xml')).html).not.toContain('/check<');
    expect((await site.page('/llms.txt')).html).not.toContain('/check)');
    const kept = await edit({ slug: 'check' });
    expect(kept.status).toBe(422);
    expect(kept.html).toContain('/check is an address of the site itself');
    await edit({ slug: 'our-checks' });
    expect((await site.page('/our-checks')).html).toContain('Where we ship');
    expect((await site.page('/check')).html).toContain('Is this price real?');
  });

  test('serves a page at a nested URL, even below a built-in text, and redirects when it moves', async () => {
    await add({ slug: ' /guides/tv/how-to-choose/ ' });
    const { status, html } = await site.page('/guides/tv/how-to-choose');
    expect([status, html.includes('<h1>Shipping</h1>')]).toEqual([200, true]);
    expect(html).toMatch(/rel="canonical" href="[^"]+\/guides\/tv\/how-to-choose"/);
    expect((await leadsTo('/guides/tv'))[0]).toBe(404);
    expect((await leadsTo('/guides/tv/how-to-choose/more'))[0]).toBe(404);
    const sitemap = await site.page('/sitemaps/pages.xml');
    expect(sitemap.html).toContain('/guides/tv/how-to-choose</loc>');
    expect((await admin.open('/admin/menus')).html).toContain('value="/guides/tv/how-to-choose"');
    const live = await findLivePaths(database.db, ['/guides/tv', '/guides/tv/how-to-choose']);
    expect([...live]).toEqual(['/guides/tv/how-to-choose']);

    await edit({ slug: 'about/tv' });
    expect(await leadsTo('/about/tv')).toEqual([200, null]);
    expect(await leadsTo('/guides/tv/how-to-choose?a=1')).toEqual([301, '/about/tv?a=1']);
    const { id } = await onlyPage();
    await act('delete', id);
    expect((await leadsTo('/about/tv'))[0]).toBe(404);
    await act('restore', id);
    expect(await leadsTo('/about/tv')).toEqual([200, null]);
    await add({ slug: 'about/tv/sizes' });
    expect(await leadsTo('/about/tv/sizes')).toEqual([200, null]);
  });

  test('derives a free slug from the title, and refuses one that is taken', async () => {
    await add();
    await add();
    expect((await stored()).map(({ slug }) => slug)).toEqual(['shipping', 'shipping-2']);
    const { status, html } = await add({ slug: 'shipping' });
    expect([status, html.includes('Another page has this address.')]).toEqual([422, true]);
  });

  test('redirects a page’s former URLs, even after it was renamed back and forth', async () => {
    await add();
    await edit({ slug: 'delivery' });
    expect(await leadsTo('/shipping?a=1')).toEqual([301, '/delivery?a=1']);
    await edit({ slug: 'sending' });
    expect(await leadsTo('/shipping')).toEqual([301, '/sending']);
    await edit({ slug: 'shipping' });
    expect(await leadsTo('/shipping')).toEqual([200, null]);
    expect(await leadsTo('/delivery')).toEqual([301, '/shipping']);
    expect(await leadsTo('/sending')).toEqual([301, '/shipping']);
    await edit({ is_visible: '' });
    expect((await leadsTo('/delivery'))[0]).toBe(404);
  });

  test('shows a new page at the former URL of another', async () => {
    await add();
    await edit({ slug: 'delivery' });
    await add({ title: 'New', slug: 'shipping' });
    expect(await leadsTo('/shipping')).toEqual([200, null]);
    expect(await leadsTo('/delivery')).toEqual([200, null]);
  });

  test('does not overwrite what another user saved', async () => {
    await add();
    await edit({ title: 'Second' });
    const { status, html } = await edit({ title: 'Third', version: '1' });
    expect(status).toBe(409);
    expect(html).toContain('Someone else saved this page in the meantime.');
    expect((await onlyPage()).title).toBe('Second');
  });

  test('restores a page from the trash, at another URL if the old one is taken', async () => {
    await add();
    const { id } = await onlyPage();
    expect((await act('delete', id)).status).toBe(302);
    await act('delete', id);
    expect((await leadsTo('/shipping'))[0]).toBe(404);
    await act('restore', id);
    expect(await leadsTo('/shipping')).toEqual([200, null]);
    await act('delete', id);
    await add({ title: 'Other', slug: 'shipping' });
    expect((await admin.open('/admin/trash?q=shipping')).html).toContain('Shipping');
    const entry = await database.db
      .selectFrom('deleted_rows')
      .select('id')
      .executeTakeFirstOrThrow();
    await admin.send('/admin/trash', { intent: 'restore', id: String(entry.id * 2 + 1) });
    expect((await stored()).map(({ slug }) => slug).toSorted()).toEqual(['shipping', 'shipping-2']);
  });

  test('lists an owner’s page in Find and its changes in the audit log', async () => {
    await add();
    const { id } = await onlyPage();
    expect((await admin.open('/admin/find?q=shipp')).html).toContain(`/admin/pages/${id}/edit`);
    await edit({ title: 'Delivery' });
    const { html } = await admin.open('/admin/audit');
    expect(html).toContain('wrote');
    expect(html).toContain('Delivery');
  });
});

describe('a built-in text', () => {
  const sections = '## First {#one}\n\nFor {{name}}\n\n## Second part\n\n- a list';
  const questions = '## Topic\n\nAbout it\n\n### Why?\n\nBecause **it** is.\n\n### Why not?\n\nNo.';
  const contentOf = (name: string) =>
    ({ contact: '', about: questions, help: questions, faq: questions })[name] ?? sections;

  test.each(textNames)(
    'shows at /%s the text that staff wrote, and later the restored original',
    async (name) => {
      const before = (await site.page(`/${name}`)).html;
      const editor = await admin.open(`/admin/pages/texts/${name}`);
      expect(editor.html).toContain('This page shows the original text.');
      const sent = {
        title: 'Our own title',
        intro: 'Ask [us](/contact)',
        content: contentOf(name),
      };
      expect((await write(name, sent)).status).toBe(302);
      const after = (await site.page(`/${name}`)).html;
      expect(after).toContain('Our own title</h1>');
      expect(after).toContain('Ask <a href="/contact">us</a>');
      const row = await onlyPage();
      expect((await admin.open(`/admin/pages/${row.id}/edit`)).status).toBe(302);
      await act('delete', row.id);
      expect((await site.page(`/${name}`)).html).toBe(before);
      await act('restore', row.id);
      expect((await site.page(`/${name}`)).html).toContain('Our own title</h1>');
    },
  );

  test('keeps the page when the original is saved unchanged', async () => {
    const main = async () => /<main.*<\/main>/s.exec((await site.page('/privacy')).html)?.[0] ?? '';
    const before = (await main()).replace(/Last updated[^<]*/, '');
    const { html } = await admin.open('/admin/pages/texts/privacy');
    const field = (name: string) =>
      (new RegExp(`name="${name}"[^>]*>([^<]*)</textarea>`).exec(html)?.[1] ?? '')
        .replaceAll('&#x27;', "'")
        .replaceAll('&quot;', '"')
        .replaceAll('&gt;', '>')
        .replaceAll('&lt;', '<')
        .replaceAll('&amp;', '&');
    await write('privacy', {
      title: 'Privacy Policy',
      intro: field('intro'),
      content: field('content'),
    });
    expect((await main()).replace(/Last updated[^<]*/, '')).toBe(before);
  });

  test('fills facts into sections, and makes anchors for headings without one', async () => {
    await writeSiteSetting(database.db, 'siteName', 'Barn & Co', 'test');
    await write('terms', { content: sections });
    const { html } = await site.page('/terms');
    expect(html).toContain('<section id="one"');
    expect(html).toContain('<section id="second-part"');
    expect(html).toContain('For Barn &amp; Co');
    expect(html).toContain('<li>a list</li>');
  });

  test('sanitizes a text by staff after facts are filled in', async () => {
    await writeSiteSetting(database.db, 'siteName', 'javascript:alert(1)', 'test');
    const hostile = '## A\n\n[x]({{name}}) <img src=x onerror=alert(1)> <script>alert(1)</script>';
    await write('terms', { content: hostile, intro: '[y]({{name}})' });
    await write('faq', { content: `${hostile}\n\n### Q\n\n[z](javascript:alert(1)) text` });
    for (const path of ['/terms', '/faq']) {
      const main = /<main.*<\/main>/s.exec((await site.page(path)).html)?.[0] ?? '';
      expect(main).not.toMatch(/href="javascript:|onerror|<script>alert/);
    }
  });

  test('shows the owner’s sections of the FAQ as buttons, searches them and formats answers', async () => {
    await write('faq', { content: questions });
    const { html } = await site.page('/faq');
    expect(html).toContain('href="/faq?category=topic"');
    expect(html).not.toContain('category=shipping');
    expect(html).toContain('Because <strong>it</strong> is.');
    expect(html).toContain('"text":"Because it is."');
    expect((await site.page('/faq?search=because+it')).html).toContain('1 question found');
    expect((await site.page('/help?search=because+it')).html).toContain('1 answer for');
  });

  test.each([
    ['terms', { content: 'No section' }, 'Needs at least one section'],
    ['terms', { content: 'Loose\n\n## A\n\ntext' }, 'Text before the first'],
    ['help', { content: '## Topic\n\ntext' }, 'Each section needs at least one line'],
    ['help', { content: '' }, 'Needs at least one section'],
    ['about', { title: ' ', content: questions }, 'Title is required'],
  ] as const)('refuses for /%s %o', async (name, wrong, message) => {
    const { status, html } = await write(name, wrong);
    expect([status, html.includes(message)]).toEqual([422, true]);
    expect(await stored()).toEqual([]);
  });

  test('keeps a built-in text visible at its URL, regardless of what is posted', async () => {
    await write('terms', { content: sections, slug: 'elsewhere' });
    const row = await onlyPage();
    expect(row.slug).toBe('terms');
    await act('hide', row.id);
    await admin.send(`/admin/pages/${row.id}/edit`, { ...page, slug: 'x', version: '1' });
    expect(await onlyPage()).toMatchObject({ slug: 'terms', is_visible: true, version: 1 });
  });

  test('asks before it replaces what another user wrote at the same time', async () => {
    await write('terms', { content: sections });
    const second = await write('terms', { title: 'Second', content: sections });
    expect(second.status).toBe(409);
    expect((await onlyPage()).title).toBe('Ours');
  });

  test('keeps the original that another user restored while the text was edited', async () => {
    await write('terms', { content: sections });
    const { id, version } = await onlyPage();
    await act('delete', id);
    const late = { content: sections, version: String(version) };
    const { status, html } = await write('terms', late);
    expect([status, html.includes('What you typed is still here.')]).toEqual([404, true]);
    expect(await stored()).toEqual([]);
    await act('restore', id);
    expect((await write('terms', late)).status).toBe(302);
    expect(await onlyPage()).toMatchObject({ id, version: version + 1 });
  });

  test('excludes a text from the sitemap if it is hidden from search engines', async () => {
    await write('terms', { content: sections, noindex: 'on' });
    const { html } = await site.page('/sitemaps/pages.xml');
    expect(html).toContain('/privacy</loc>');
    expect(html).not.toContain('/terms</loc>');
    expect((await site.page('/terms')).html).toContain('content="noindex, follow"');
  });

  test('returns 404 when the site has no text of that name', async () => {
    expect((await admin.open('/admin/pages/texts/constructor')).status).toBe(404);
    expect((await write('constructor', { content: sections })).status).toBe(404);
  });
});

test.each(['/admin/pages/new', '/admin/pages/texts/about', '/admin/home'])(
  'offers a picture for the Markdown of %s',
  async (path) => expect((await admin.open(path)).html).toMatch(/<button[^>]*>Picture</),
);

test('lists the texts of the site before the owner’s pages', async () => {
  await add({ title: 'AAA' });
  const { html } = await admin.open('/admin/pages');
  expect(html.indexOf('/admin/pages/texts/about')).toBeLessThan(html.indexOf('>AAA<'));
  const drafts = (await admin.open('/admin/pages?show=drafts')).html;
  expect(drafts).toContain('No pages found');
  expect((await admin.open('/admin/pages?q=cook')).html).toContain('/admin/pages/texts/cookies');
});

import { describe, expect, test } from 'vitest';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { uploadSizeLimits as limits } from '#app/features/feeds/sources/feed-files.server.ts';
import { updatePost } from '#app/features/blog/change-post.server.ts';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import { type OldItem, oldSite, wordpressExport } from '#test/fixtures/wordpress-export.ts';
import { findMove, listMoveItems } from './move-queries.server.ts';
import { runMoves, startMove, startUndo } from './run-move.server.ts';
import { stageMove } from './stage-move.server.ts';

const database = useTestDatabase();
const origin = 'https://deals.example';
const options = { name: 'export.xml', actor: 'cli', origin, limits };

async function* bytesOf(text: string | Buffer) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
const stageText = (text: string | Buffer) => stageMove(database.db, bytesOf(text), options);
const stage = (...items: OldItem[]) => stageText(wordpressExport(items));
async function moveIn(...items: OldItem[]) {
  const id = await stage(...items);
  await startMove(database.db, id, origin);
  await runMoves(database.db);
  return id;
}
async function undo(id: number) {
  expect(await startUndo(database.db, id, 'cli')).toBe(true);
  await runMoves(database.db);
}
const itemsOf = async (id: number, isSkipped = false) =>
  (await listMoveItems(database.db, { move: id, isSkipped }, { limit: 5_000, offset: 0 })).rows;
const posts = () =>
  database.db
    .selectFrom('blog_posts')
    .selectAll()
    .where('is_demo', '=', false)
    .orderBy('id')
    .execute();
const redirects = () =>
  ask(database.db).rows<{ from_path: string; target: string }>`
    select from_path, target from address_redirects order by from_path`;
const counts = () =>
  ask(database.db).row<{ posts: number; pages: number; redirects: number }>`
    select (select count(*) from blog_posts) as posts, (select count(*) from site_pages) as pages,
           (select count(*) from address_redirects) as redirects`;

describe('the preview', () => {
  test('previews each old URL with its new one, and writes nothing', async () => {
    const before = await counts();
    const id = await stage(
      { title: 'Lamps', slug: 'lamps', comments: 2 },
      { title: 'Team', slug: 'team', type: 'page', link: `${oldSite}/company/team/` },
      { title: 'Shipping', slug: 'shipping', type: 'page', link: `${oldSite}/shipping/` },
      { title: 'Our story', slug: 'about', type: 'page', link: `${oldSite}/about/` },
      { title: 'Later', slug: '', status: 'draft', link: `${oldSite}/?p=5` },
      { title: 'Gone', status: 'trash' },
      { title: 'Only a form', content: '[contact-form-7 id="3"]' },
      { type: 'nav_menu_item' },
      { type: 'attachment', attachment: `${oldSite}/a.jpg` },
    );
    const items = await itemsOf(id);
    expect(items.map(({ slug, redirect }) => [slug, redirect])).toEqual([
      ['lamps', 'new'],
      ['company/team', 'same'],
      ['shipping', 'same'],
      ['about-2', 'none'],
      ['later', 'none'],
    ]);
    expect(items[3]?.redirect_note).toContain('has a page');
    expect((await itemsOf(id, true)).map(({ skip }) => skip)).toEqual([
      'In the trash of the old site',
      'Has no text once shortcodes and scripts are removed',
    ]);
    const move = await findMove(database.db, id);
    expect(move).toMatchObject({ posts: 2, pages: 3, skipped: 2, redirects: 1, state: 'ready' });
    expect(move?.left_out).toEqual({ comment: 2, nav_menu_item: 1, attachment: 1 });
    expect(await counts()).toEqual(before);
  });

  test('numbers repeated slugs, and transliterates other alphabets', async () => {
    const id = await stage(
      { slug: 'sale', guid: 'a' },
      { slug: 'sale', guid: 'b', link: `${oldSite}/b` },
      { slug: '%d0%bc%d0%be%d1%81%d0%ba%d0%b2%d0%b0', guid: 'c' },
      { slug: '%e0%a4', title: 'Straße nach Łódź', guid: 'd' },
      { slug: 'sale', guid: 'a', link: `${oldSite}/c` },
    );
    const slugs = (await itemsOf(id)).map(({ slug }) => slug);
    expect(slugs).toEqual(['sale', 'sale-2', 'moskva', expect.any(String)]);
    expect((await itemsOf(id, true)).map(({ skip }) => skip)).toEqual([
      'The file contains this item twice',
    ]);
  });

  test('does not change an existing redirect for an old URL', async () => {
    await ask(database.db).rows`
      insert into address_redirects (from_path, target, status) values ('/2024/03/lamps', '/deals', 301)`;
    const id = await moveIn({ slug: 'lamps' });
    expect((await itemsOf(id))[0]).toMatchObject({ redirect: 'none', outcome: 'moved' });
    expect(await redirects()).toEqual([{ from_path: '/2024/03/lamps', target: '/deals' }]);
  });

  test.each([
    ['a web page', '<!DOCTYPE html><html><body>x</body></html>', 'not a WordPress export'],
    [
      'another feed',
      '<rss><channel><item><title>a</title></item></channel></rss>',
      'not a WordPress export',
    ],
    ['a picture', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'not a WordPress export'],
    ['a file with entities', '<!DOCTYPE x [<!ENTITY a "b">]><rss></rss>', 'refused'],
    ['a file that is cut off', wordpressExport([{}, {}]).slice(0, -400), 'cut off'],
  ])('rejects %s and stores nothing', async (_what, text, message) => {
    await expect(stageText(text)).rejects.toThrow(FeedError);
    await expect(stageText(text)).rejects.toThrow(message);
    expect(await ask(database.db).value`select count(*)::integer from post_moves`).toBe(0);
  });

  test('reads an export with bytes that are not UTF-8', async () => {
    const text = wordpressExport([{ title: 'Caf', content: '<p>Price: 5 E</p>' }]);
    const bytes = Buffer.from(text);
    bytes[bytes.indexOf('Price') + 9] = 0xe9;
    const id = await stageText(bytes);
    expect(await itemsOf(id)).toHaveLength(1);
  });

  test('skips posts and pages that are too long', async () => {
    const id = await stage(
      { content: `<p>${'word '.repeat(50_000)}</p>` },
      { content: `<p>${'word '.repeat(600_000)}</p>` },
      { type: 'page', content: `<p>${'word '.repeat(25_000)}</p>` },
    );
    const skips = (await itemsOf(id, true)).map(({ skip }) => skip?.slice(0, 8));
    expect(skips).toEqual(['Too long', 'Too long', 'Too long']);
  });
});

describe('the import', () => {
  test('creates posts with their dates, tags, author, picture and links', async () => {
    await moveIn(
      {
        id: 7,
        slug: 'lamps',
        title: 'Lamps & <b>more</b> ]]> end',
        content: `A classic text with ]]> inside.\n\nSee <a href="${oldSite}/2024/03/desks/#top">desks</a>, <a href="/?p=8">again</a>,
<a href="https://elsewhere.example/">other</a> and <a href="javascript:alert(1)">bad</a>.<script>alert(1)</script>
[caption id="x" width="3"]<img src="${oldSite}/a.jpg" onerror="x()"> A lamp[/caption]
[gallery ids="1,2"][box type="info"]Inside[/box] and [not a code]`,
        tags: ['Light'],
        categories: ['Home', 'Uncategorized'],
        thumbnail: 90,
      },
      {
        id: 8,
        slug: 'desks',
        status: 'draft',
        date: '0000-00-00 00:00:00',
        dateGmt: '0000-00-00 00:00:00',
      },
      {
        id: 9,
        slug: 'tables',
        date: '',
        dateGmt: '0000-00-00 00:00:00',
        pubDate: 'Tue, 02 Jan 2024 10:00:00 +0000',
      },
      {
        id: 10,
        slug: 'undated',
        date: '',
        dateGmt: '',
        content: `<!-- wp:p --><p><a href="${oldSite}/2024/03/lamps">x</a></p>`,
      },
      { id: 90, type: 'attachment', attachment: 'http://old.example/main.jpg' },
    );
    const [lamps, desks, tables, undated] = await posts();
    expect(lamps).toMatchObject({
      title: 'Lamps & <b>more</b> ]]> end',
      tags: ['Light', 'Home'],
      author: 'Ann Deal',
      featured_image_url: 'https://old.example/main.jpg',
      is_published: true,
      published_at: new Date('2024-03-01T09:00:00Z'),
    });
    expect(lamps?.content).toContain('<p>A classic text with ]]&gt; inside.</p>');
    expect(lamps?.content).toMatch(/<figure>.*A lamp<\/figure>/s);
    expect(lamps?.content).toContain('Inside and [not a code]');
    expect(lamps?.content).not.toMatch(/script|onerror|gallery|\[box/);
    expect(desks).toMatchObject({ is_published: false, published_at: null });
    expect(tables?.published_at).toEqual(new Date('2024-01-02T10:00:00Z'));
    expect(undated?.published_at).not.toBeNull();
    expect(undated?.content).toContain('href="/blog/lamps"');
    expect(await redirects()).toEqual([
      { from_path: '/2024/03/lamps', target: '/blog/lamps' },
      { from_path: '/2024/03/tables', target: '/blog/tables' },
      { from_path: '/2024/03/undated', target: '/blog/undated' },
    ]);
  });

  test('turns a link to the old site into an internal link, and escapes its fragment', async () => {
    await moveIn(
      { slug: 'lamps' },
      {
        slug: 'desks',
        content: `<p><a title="T" href="${oldSite}/2024/03/lamps/#a&quot;><script>x()</script>">L</a>
<a href="https://elsewhere.example/">E</a></p>`,
      },
    );
    const [, desks] = await posts();
    expect(desks?.content).toContain(
      '<a href="/blog/lamps#a%22%3E%3Cscript%3Ex()%3C/script%3E" title="T">L</a>',
    );
    expect(desks?.content).toContain('href="https://elsewhere.example/" rel="nofollow noopener"');
  });

  test('converts pages to Markdown, each at its own URL', async () => {
    await moveIn({
      type: 'page',
      slug: 'team',
      title: 'Team',
      link: `${oldSite}/team/`,
      content:
        '<!-- wp:heading --><h2>We *are*</h2><ul><li>One <strong>two</strong></li><li>Three</li></ul>',
    });
    const page = await database.db.selectFrom('site_pages').selectAll().executeTakeFirst();
    expect(page).toMatchObject({ slug: 'team', title: 'Team', is_visible: true });
    expect(page?.content).toBe('## We \\*are\\*\n\n- One **two**\n- Three');
  });

  test('keeps the paths of pages with parents, unless the site itself uses the folder', async () => {
    const child = { slug: 'child', type: 'page' };
    await moveIn(
      { ...child, link: `${oldSite}/guides/tv/child/` },
      { ...child, title: 'Second', link: `${oldSite}/deals/tv/child/` },
      { ...child, title: 'Third', link: `${oldSite}/Guides/Fernseher-ü/child/` },
    );
    const pages = await database.db.selectFrom('site_pages').select('slug').orderBy('id').execute();
    expect(pages.map(({ slug }) => slug)).toEqual(['guides/tv/child', 'child', 'child-2']);
    expect((await redirects()).map(({ target }) => target)).toEqual(['/child-2', '/child']);
  });

  test('adds nothing when the same file is imported again', async () => {
    const items = [{ slug: 'a' }, { slug: 'b', type: 'page', link: `${oldSite}/x/b` }];
    await moveIn(...items);
    const before = await counts();
    const again = await moveIn(...items);
    expect(await counts()).toEqual(before);
    expect((await itemsOf(again, true)).map(({ skip }) => skip)).toEqual([
      'Already moved in',
      'Already moved in',
    ]);
    expect(await startMove(database.db, again, origin)).toBe(false);
  });

  test('completes 2,000 posts after an interruption, and undoes them', async () => {
    const before = await counts();
    const many = Array.from({ length: 2_000 }, (_one, at) => ({
      slug: `post-${at % 1_990}`,
      link: `${oldSite}/${at}/x`,
      guid: `g${at}`,
    }));
    const id = await stage(...many);
    await startMove(database.db, id, origin);
    const stop = new AbortController();
    const running = runMoves(database.db, stop.signal);
    stop.abort();
    await running;
    const isAnyLeft = (await findMove(database.db, id))?.handled ?? 0;
    expect(isAnyLeft).toBeLessThan(2_000);
    await Promise.all([runMoves(database.db), runMoves(database.db)]);
    expect(await findMove(database.db, id)).toMatchObject({ state: 'done', handled: 2_000 });
    expect(await posts()).toHaveLength(2_000);
    expect(await redirects()).toHaveLength(2_000);
    await undo(id);
    expect(await counts()).toEqual(before);
    expect(await ask(database.db).value`select count(*)::integer from deleted_rows`).toBe(2_000);
  }, 120_000);
});

describe('the undo', () => {
  test('keeps changed posts when an import is undone, and allows importing the others again', async () => {
    const id = await moveIn({ slug: 'a' }, { slug: 'b' });
    const [first] = await posts();
    if (!first) throw new Error('no post moved');
    const { title, excerpt, author, tags, content } = first;
    const input = {
      title: `${title}!`,
      excerpt,
      author,
      tags,
      content,
      slug: null,
      is_published: true,
      is_featured: false,
    };
    const rest = {
      published_at: null,
      read_time: 1,
      featured_image_url: null,
      seo_title: null,
      seo_description: null,
      share_text: null,
      noindex: false,
    };
    const saved = await updatePost(
      database.db,
      first.id,
      { ...input, ...rest },
      { actor: 'cli', origin, expectedVersion: 1 },
    );
    expect(saved.ok).toBe(true);
    await undo(id);
    expect((await posts()).map(({ slug }) => slug)).toEqual(['a']);
    expect(await redirects()).toEqual([{ from_path: '/2024/03/a', target: '/blog/a' }]);
    expect(await findMove(database.db, id)).toMatchObject({ state: 'undone', kept: 1 });
    await moveIn({ slug: 'a' }, { slug: 'b' });
    expect((await posts()).map(({ slug }) => slug)).toEqual(['a', 'b']);
  });

  test('refuses to undo an import that has not run', async () => {
    const id = await stage({ slug: 'a' });
    expect(await startUndo(database.db, id, 'cli')).toBe(false);
  });
});

import { describe, expect, test } from 'vitest';
import { uploadSizeLimits as limits } from '#app/features/feeds/sources/feed-files.server.ts';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import {
  clipperCoupon,
  couponisCoupon,
  product,
  rehubPost,
  thirstyLink,
  wpcdItem,
} from '#test/fixtures/old-offers.ts';
import { type OldItem, oldSite, wordpressExport } from '#test/fixtures/wordpress-export.ts';
import { findMovedPath } from './find-moved-path.server.ts';
import { findMove, listMoveItems } from './move-queries.server.ts';
import { describeItem, describeWay } from './move-words.ts';
import { runMoves, startMove, startUndo } from './run-move.server.ts';
import { stageMove } from './stage-move.server.ts';

const database = useTestDatabase();
const origin = 'https://deals.example';

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}
const stage = (...items: OldItem[]) =>
  stageMove(database.db, bytesOf(wordpressExport(items)), {
    name: 'export.xml',
    actor: 'cli',
    origin,
    limits,
  });
async function moveIn(...items: OldItem[]) {
  const id = await stage(...items);
  expect(await startMove(database.db, id, origin)).toBe(true);
  await runMoves(database.db);
  return id;
}
async function undo(id: number) {
  expect(await startUndo(database.db, id, 'cli')).toBe(true);
  await runMoves(database.db);
}
const itemsOf = async (id: number, isSkipped = false) =>
  (await listMoveItems(database.db, { move: id, isSkipped }, { limit: 5_000, offset: 0 })).rows;
const reasons = async (id: number) => (await itemsOf(id, true)).map(({ skip }) => skip);
const notesOf = async (id: number) => (await itemsOf(id)).map((item) => describeItem(item));

interface Moved {
  slug: string;
  title: string;
  sale_price: number;
  original_price: number | null;
  coupon_code: string | null;
  deal_url: string;
  image_url: string | null;
  description: string;
  is_active: boolean;
  is_expired: boolean;
  expires_at: Date | null;
  price_source: string;
  merchant: string;
  category: string;
}
const deals = () =>
  ask(database.db).rows<Moved>`
    select d.slug, title, sale_price, original_price, coupon_code, deal_url, image_url, d.description, is_active,
           is_expired, expires_at, price_source, m.name as merchant, c.name as category
      from deals d join merchants m on m.id = d.merchant_id join categories c on c.id = d.category_id order by d.id`;
const coupons = () =>
  ask(database.db).rows<{ code: string; url: string | null; ends_at: Date | null; store: string }>`
    select c.code, c.url, c.ends_at, m.name as store from coupons c join merchants m on m.id = c.merchant_id order by c.id`;
const redirects = () =>
  ask(database.db).rows<{ from_path: string; target: string; status: number }>`
    select from_path, target, status from address_redirects order by from_path`;
const counts = () =>
  ask(database.db).row<Record<string, number>>`
    select (select count(*)::integer from deals) as deals, (select count(*)::integer from coupons) as coupons,
           (select count(*)::integer from merchants) as merchants, (select count(*)::integer from categories) as categories,
           (select count(*)::integer from address_redirects) as redirects`;

describe('deals of ReHub', () => {
  test('imports price, claim, code, picture, store and category', async () => {
    const before = await counts();
    const id = await moveIn(
      rehubPost(
        'lamp',
        {
          rehub_offer_name: 'Green lamp',
          rehub_offer_product_price: '$1,299.00',
          rehub_offer_product_price_old: '$1,499.00',
          rehub_offer_product_coupon: 'LAMP5',
          rehub_offer_coupon_date: '2099-05-01',
        },
        { thumbnail: 90 },
      ),
      { id: 90, type: 'attachment', attachment: 'http://old.example/main.jpg' },
    );
    const [deal] = await deals();
    expect(deal).toMatchObject({
      slug: 'lamp',
      title: 'Green lamp',
      sale_price: 129_900,
      original_price: 149_900,
      coupon_code: 'LAMP5',
      deal_url: 'https://www.lamps.example/p/lamp',
      image_url: 'https://old.example/main.jpg',
      description: 'Text of lamp',
      is_active: true,
      is_expired: false,
      expires_at: new Date('2099-05-01T23:59:59Z'),
      merchant: 'Lamp World',
      category: 'Gadgets',
    });
    expect(await redirects()).toEqual([{ from_path: '/lamp', target: '/deals/lamp', status: 301 }]);
    expect(await findMove(database.db, id)).toMatchObject({ deals: 1, posts: 0, skipped: 0 });
    await undo(id);
    expect(await counts()).toEqual(before);
    expect(await ask(database.db).value`select count(*)::integer from deleted_deals`).toBe(1);
  });

  test('logs no price from before the import, and treats the old price as a claim', async () => {
    const started = new Date();
    await moveIn(
      rehubPost(
        'lamp',
        { rehub_offer_product_price_old: '$99' },
        { date: '2020-01-01 10:00:00', dateGmt: '2020-01-01 10:00:00' },
      ),
    );
    const lines = await ask(database.db).rows<{
      at: Date;
      source: string;
      evidence: number | null;
    }>`
      select l.at, l.source, d.reference_price as evidence from price_log l join deals d on d.id = l.deal_id`;
    expect(lines).toHaveLength(1);
    expect(lines[0]?.at.getTime()).toBeGreaterThanOrEqual(started.getTime() - 5_000);
    expect(lines[0]).toMatchObject({ source: 'import', evidence: null });
  });

  test.each([
    ['without a price', { rehub_offer_product_price: '' }, 'has no price and no code'],
    ['that is free', { rehub_offer_product_price: 'Free' }, 'its price cannot be read: Free'],
    ['in percent', { rehub_offer_product_price: '20% off' }, 'its price cannot be read: 20% off'],
    ['in euros', { rehub_offer_product_price: '1.299,00 €' }, 'its price is in another currency'],
    [
      'in a named currency',
      { rehub_offer_product_price: '12', rehub_main_product_currency: 'EUR' },
      'its price is in another currency: 12 EUR',
    ],
    [
      'with a script as link',
      { rehub_offer_product_url: 'javascript:alert(1)' },
      'its link is not a web address',
    ],
    [
      'with an unreadable end',
      { rehub_offer_coupon_date: 'soon' },
      'its end date cannot be read: soon',
    ],
  ])('imports a deal %s as a plain post, with a note', async (_what, fields, note) => {
    const id = await moveIn(rehubPost('lamp', fields));
    expect(await deals()).toEqual([]);
    expect((await itemsOf(id))[0]).toMatchObject({ kind: 'post', outcome: 'moved' });
    expect((await notesOf(id))[0]?.join('. ')).toContain(
      `Stays a post, without its offer: ${note}`,
    );
  });

  test('imports a deal with a long text as a post, and a code without a price as a coupon', async () => {
    const id = await moveIn(
      rehubPost('review', {}, { content: `<p>${'word '.repeat(2_000)}</p>` }),
      rehubPost('code', { rehub_offer_product_price: '', rehub_offer_product_coupon: 'ONLY' }),
    );
    expect((await itemsOf(id)).map(({ kind }) => kind)).toEqual(['post', 'coupon']);
    expect(await coupons()).toMatchObject([{ code: 'ONLY', store: 'Lamp World' }]);
  });

  test('keeps the end date and page of expired deals, and hides unpublished deals', async () => {
    const id = await moveIn(
      rehubPost('old', { rehub_offer_coupon_date: '2020-01-31' }),
      rehubPost('over', { re_post_expired: '1' }),
      rehubPost('draft', {}, { status: 'draft' }),
      rehubPost('gone', {}, { status: 'trash' }),
    );
    expect(await deals()).toMatchObject([
      { slug: 'old', is_expired: true, expires_at: new Date('2020-01-31T23:59:59Z') },
      { slug: 'over', is_expired: true },
      { slug: 'draft', is_active: false },
    ]);
    expect((await redirects()).map(({ target }) => target)).toEqual(['/deals/old', '/deals/over']);
    expect((await notesOf(id)).map((notes) => notes[0])).toEqual([
      'Store: Lamp World (new)',
      'Store: Lamp World (new)',
      'Becomes inactive',
    ]);
  });
});

describe('products of WooCommerce', () => {
  test('imports products that link to a store as deals', async () => {
    const id = await moveIn(
      product('pan', { _product_url: 'https://pans.example/pan', _stock_status: 'outofstock' }),
      product('own', {}),
      product('cheap', {
        _product_url: 'https://pans.example/b',
        _price: '9.99',
        _regular_price: '9.99',
      }),
    );
    expect(await deals()).toMatchObject([
      { slug: 'pan', sale_price: 129_900, original_price: 149_900, merchant: 'pans.example' },
      { slug: 'cheap', sale_price: 999, original_price: null, category: 'Kitchen' },
    ]);
    expect(await reasons(id)).toEqual(['Has no link to a store: the old site sold it itself']);
  });
});

describe('coupons', () => {
  test('imports the code, link and end date of coupons from Clipper, Couponis and WP Coupons', async () => {
    const id = await moveIn(
      clipperCoupon('shoes', { clpr_coupon_code: 'SHOE10', clpr_expire_date: '07-04-2099' }),
      couponisCoupon('books', {}),
      wpcdItem('pans', { 'coupon_details_expire-date': '31-12-2099' }),
      wpcdItem('pots', {
        'coupon_details_coupon-code-text': 'POT5',
        'coupon_details_expire-date': '4070908800',
        'coupon_details_never-expire-check': 'off',
      }),
    );
    expect(await coupons()).toEqual([
      {
        code: 'SHOE10',
        url: 'https://www.shoes.example/?tag=me',
        ends_at: new Date('2099-07-04T23:59:59Z'),
        store: 'Shoe Shop',
      },
      { code: 'READ5', url: 'https://go.books.example/a?x=1', ends_at: null, store: 'Book Barn' },
      {
        code: 'PAN10',
        url: 'https://pans.example/',
        ends_at: new Date('2099-12-31T23:59:59Z'),
        store: 'Pan Place',
      },
      { code: 'POT5', url: 'https://pans.example/', ends_at: expect.any(Date), store: 'Pan Place' },
    ]);
    expect(await redirects()).toContainEqual({
      from_path: '/coupons/shoes',
      target: '/coupons?merchant=shoe-shop',
      status: 301,
    });
    expect((await notesOf(id))[1]).toContain('Exports of Couponis have no end dates');
  });

  test('skips coupons that have no code, are unpublished or have a bad link, with the reason', async () => {
    const id = await moveIn(
      clipperCoupon('deal', {}),
      clipperCoupon('draft', { clpr_coupon_code: 'A1' }, { status: 'draft' }),
      clipperCoupon('script', { clpr_coupon_code: 'A2', clpr_coupon_aff_url: 'javascript:x()' }),
      couponisCoupon('no-store', { coupon_affiliate: '', coupon_code: 'A3' }, { terms: {} }),
      couponisCoupon('no-link', { coupon_affiliate: '', coupon_code: 'A4' }),
    );
    expect(await coupons()).toMatchObject([{ code: 'A4', url: null, store: 'Book Barn' }]);
    expect(await reasons(id)).toEqual([
      'Has no price and no code',
      'Not published, and coupons have no drafts',
      'Its link is not a web address: javascript:x()',
      'Names no store, and its link does not show one',
    ]);
  });

  test('imports an item only once if the file repeats its GUID or code', async () => {
    const id = await moveIn(
      couponisCoupon('a', {}),
      couponisCoupon('a', { coupon_code: 'OTHER' }, { link: `${oldSite}/x/` }),
      couponisCoupon('b', { coupon_code: 'read5' }),
    );
    expect(await coupons()).toMatchObject([{ code: 'READ5' }]);
    expect(await reasons(id)).toEqual(['The file contains this item twice']);
    expect((await notesOf(id))[1]).toContain('The store already has this code, which is kept');
    await undo(id);
    expect(await coupons()).toEqual([]);
  });
});

describe('stores and categories', () => {
  const merchant = (name: string, website: string | null) =>
    ask(database.db).value<number>`
      insert into merchants (name, slug, website_url) values (${name}, ${(website ?? name).replace(/\W+/g, '-').toLowerCase()}, ${website})
      returning id`;

  test('finds stores by name or by host, or by both if names are equal', async () => {
    await merchant('Lamps Inc', 'https://lamps.example/');
    await merchant('Twin', 'https://one.example/');
    await merchant('Twin', 'https://two.example/');
    const at = (slug: string, store: string, url: string) =>
      rehubPost(slug, { rehub_offer_product_url: url }, { terms: { dealstore: [store] } });
    const id = await moveIn(
      at('by-host', 'Lamp World', 'https://www.lamps.example/a'),
      at('by-name', 'LAMPS INC', 'https://elsewhere.example/a'),
      at('second', 'Twin', 'https://two.example/a'),
      at('neither', 'Twin', 'https://three.example/a'),
    );
    expect((await deals()).map((deal) => [deal.slug, deal.merchant])).toEqual([
      ['by-host', 'Lamps Inc'],
      ['by-name', 'Lamps Inc'],
      ['second', 'Twin'],
    ]);
    expect(await reasons(id)).toEqual(['More than one store is called “Twin”']);
  });

  test('adds missing categories once, or replaces them with the chosen one', async () => {
    const chosen = await ask(database.db).value<number>`
      insert into categories (name, slug) values ('Various', 'various') returning id`;
    const id = await stage(rehubPost('a', {}), rehubPost('b', {}));
    expect((await notesOf(id))[0]).toContain('Category not here: Gadgets');
    await startMove(database.db, id, origin, chosen);
    await runMoves(database.db);
    expect((await deals()).map(({ category }) => category)).toEqual(['Various', 'Various']);
    await moveIn(rehubPost('c', {}), rehubPost('d', {}));
    expect((await deals()).slice(2).map(({ category }) => category)).toEqual([
      'Gadgets',
      'Gadgets',
    ]);
    expect(
      await ask(database.db)
        .value`select count(*)::integer from merchants where name = 'Lamp World'`,
    ).toBe(1);
  });
});

describe('cloaked links', () => {
  test('finds an imported deal by its old number, but not a page whose id equals the deal’s', async () => {
    const { db } = database;
    await moveIn(
      rehubPost('lamp', { rehub_offer_name: 'Lamp', rehub_offer_product_price: '$12.00' }),
    );
    const old = await ask(db).value<number>`select old_id from post_move_items where kind = 'deal'`;
    const path = () => findMovedPath(db, new URLSearchParams({ p: String(old) }));
    const id = await ask(db).value<number>`select id from deals`;
    await ask(db).rows`
      insert into site_pages (id, slug, title, content, is_visible)
      overriding system value values (${id}, 'wrong', 'Wrong', '', true)`;
    expect(await path()).toBe('/deals/lamp');
    await ask(db).rows`update deals set is_active = false`;
    expect(await path()).toBe(null);
  });

  test('redirects cloaked links to the deal, store or target, and resolves those in deals', async () => {
    await ask(database.db).rows`
      insert into merchants (name, slug, website_url) values ('Shoes', 'shoes', 'https://shoes.example/')`;
    const id = await moveIn(
      thirstyLink('lamp', 'https://www.lamps.example/p/lamp?tag=a&amp;b=1'),
      thirstyLink('shop', 'https://shoes.example/'),
      thirstyLink('partner', 'https://tracker.example/c?to=shoes'),
      thirstyLink('bad', 'javascript:alert(1)'),
      thirstyLink('loop', `${oldSite}/go/loop/`),
      { type: 'pretty-link', slug: 'pretty', link: `${oldSite}/pretty/` },
      rehubPost('deal', { rehub_offer_product_url: `${oldSite}/go/lamp` }),
      rehubPost('lost', { rehub_offer_product_url: `${oldSite}/go/none` }),
      { slug: 'post', content: `<p><a href="${oldSite}/go/partner/">Shop</a></p>` },
    );
    expect((await deals())[0]?.deal_url).toBe('https://www.lamps.example/p/lamp?tag=a&b=1');
    expect((await redirects()).filter(({ from_path: from }) => from.startsWith('/go/'))).toEqual([
      { from_path: '/go/lamp', target: '/deals/deal', status: 301 },
      { from_path: '/go/partner', target: 'https://tracker.example/c?to=shoes', status: 302 },
      { from_path: '/go/shop', target: '/merchants/shoes', status: 301 },
    ]);
    expect(await reasons(id)).toEqual([
      'Its target is not a web address: javascript:alert(1)',
      'Its target is on the old site',
      'Pretty Links keeps targets outside this export: upload its CSV at Redirects',
      `Its link points to the old site: ${oldSite}/go/none`,
    ]);
    const post = await ask(database.db).value<string>`
      select content from blog_posts where slug = 'post' and not is_demo`;
    expect(post).toContain('href="/go/partner"');
    const ways = (await itemsOf(id)).map((item) => describeWay(item));
    expect(ways).toContain('https://tracker.example/c?to=shoes (302)');
    await undo(id);
    expect(await redirects()).toEqual([]);
  });

  test('leaves a URL of this site unchanged', async () => {
    const id = await stage(
      thirstyLink('x', 'https://a.example/', { link: `${oldSite}/out/5` }),
      thirstyLink('y', 'https://a.example/', { link: `${oldSite}/deals` }),
    );
    expect(await itemsOf(id)).toEqual([]);
    expect(await reasons(id)).toEqual(Array(2).fill(expect.stringContaining('has a page')));
  });
});

describe('an import of offers', () => {
  const many = Array.from({ length: 300 }, (_one, at) =>
    at % 3 === 2
      ? couponisCoupon(`c${at}`, { coupon_code: `CODE${at}` })
      : rehubPost(`d${at}`, { rehub_offer_product_price: `$${at + 1}` }),
  );

  test('completes an interrupted import, adds nothing twice, and undoes the whole import', async () => {
    const before = await counts();
    const id = await stage(...many);
    await startMove(database.db, id, origin);
    const stop = new AbortController();
    const running = runMoves(database.db, stop.signal);
    stop.abort();
    await running;
    expect((await deals()).length).toBeLessThan(200);
    await Promise.all([runMoves(database.db), runMoves(database.db)]);
    expect(await findMove(database.db, id)).toMatchObject({
      state: 'done',
      deals: 200,
      coupons: 100,
    });
    expect((await deals()).length).toBe(200);
    const after = await counts();
    const again = await stage(...many);
    expect(new Set(await reasons(again))).toEqual(new Set(['Already moved in']));
    expect(await counts()).toEqual(after);
    await undo(id);
    expect(await counts()).toEqual(before);
  }, 120_000);

  test('keeps items changed after the import, and their stores, when the import is undone', async () => {
    const id = await moveIn(
      rehubPost('a', {}),
      rehubPost('b', {}),
      couponisCoupon('c', {}),
      thirstyLink('x', 'https://tracker.example/'),
    );
    await ask(database.db).rows`
      update deals set title = 'Mine', version = version + 1 where slug = 'a'`;
    await ask(database.db).rows`
      update address_redirects set target = '/deals', version = version + 1 where from_path = '/go/x'`;
    await undo(id);
    expect(await deals()).toMatchObject([{ title: 'Mine', merchant: 'Lamp World' }]);
    expect(await coupons()).toEqual([]);
    expect((await redirects()).map(({ from_path: from }) => from)).toEqual(['/a', '/go/x']);
    expect(await findMove(database.db, id)).toMatchObject({ state: 'undone', kept: 2 });
    const names = await ask(database.db).column<string>`select name from merchants`;
    expect(names).toContain('Lamp World');
    expect(names).not.toContain('Book Barn');
  });
});

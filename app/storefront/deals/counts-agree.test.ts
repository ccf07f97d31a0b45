import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { seedDemo } from '#database/seed/seed-demo.ts';
import { useTestDatabase } from '#test/database.ts';
import { textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';

// Compares every number of deals on the demo shop's pages with its list, counted card by card.

const database = useTestDatabase();
const site = testSite(database);

beforeEach(async () => {
  await seedDemo(database.db, { now: new Date() });
  // Deals of one product share a card, but the numbers count deals.
  await sql`insert into products (slug, title) select 'product-' || n, 'Product ' || n from generate_series(1, 6) n`.execute(
    database.db,
  );
  await sql`
    update deals set product_id = (select p.id from products p where p.slug = 'product-' || 1 + deals.id % 6)
     where id % 4 = 0 and product_id is null`.execute(database.db);
});

/** Counts the live deals of a list over all its pages. */
async function countCards(address: string): Promise<number> {
  let live = 0;
  for (let next: string | undefined = address; next;) {
    const { html } = await site.page(next);
    live += html.match(/<article(?=[^>]*data-key)(?![^>]*data-expired)/g)?.length ?? 0;
    const [, href] = /<a(?=[^>]*rel="next")[^>]*href="([^"]*)"/.exec(html) ?? [];
    next = href?.replaceAll('&amp;', '&');
  }
  return live;
}

/** Returns the links of tiles with their counts. */
function tilesOf(html: string): [href: string, count: number][] {
  const tiles = [
    ...html.matchAll(
      /href="(\/(?:categories|merchants)\/[\w-]+)"(?:(?!href=).)*?>(\d+) deals?\b/gs,
    ),
  ];
  return tiles.map(([, href = '', count]) => [href, Number(count)]);
}

/** Returns the links of filter options with their counts. */
function optionsOf(html: string, address: string): [href: string, count: number][] {
  return [...html.matchAll(/<select[^>]*name="(\w+)"[^>]*>(.*?)<\/select>/gs)].flatMap(
    ([, name = '', options = '']) =>
      [...options.matchAll(/<option value="([^"]+)"[^>]*>[^<]*\((\d+)\)/g)].map(
        ([, value, count]): [string, number] => {
          const url = new URL(address, 'https://site.example');
          url.searchParams.set(name, value ?? '');
          return [url.pathname + url.search, Number(count)];
        },
      ),
  );
}

/** Returns the numbers of deals and of cards that a list shows. */
function saidOf(html: string) {
  const [, deals = '', products = deals] =
    /(\d[\d,]*) deals?(?: of ([\d,]+) products?)?(?= from| in | at | ·|, and)/.exec(textOf(html)) ??
    [];
  const [count, cards] = [deals, products].map((number) => Number(number.replace(',', '')));
  return { count, cards };
}

test('shows the same count on each page as its list', async () => {
  const counts = new Map<string, number>();
  for (const address of ['/', '/categories', '/merchants']) {
    const tiles = tilesOf((await site.page(address)).html);
    expect(tiles.length, address).toBeGreaterThan(7);
    for (const [href, count] of tiles) {
      expect(counts.get(href) ?? count, `${href} on ${address}`).toBe(count);
      counts.set(href, count);
    }
  }
  const lists = [
    '/deals',
    '/categories/tools',
    '/merchants/voltkrone',
    '/deals?search=set&min=10',
    '/deals?evidence=low',
  ];
  for (const address of lists) {
    const options = optionsOf((await site.page(address)).html, address);
    expect(options.length, address).toBeGreaterThan(3);
    for (const [href, count] of options) counts.set(href, count);
  }
  for (const [href, count] of counts) {
    const said = count > 0 ? saidOf((await site.page(href)).html) : { count: 0, cards: 0 };
    expect([href, said.count, await countCards(href)]).toEqual([href, count, said.cards]);
  }
}, 120_000);

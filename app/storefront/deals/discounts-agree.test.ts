import { beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { listSorts } from '#app/features/deals/deal-sorts.ts';
import { describeDeal, gatherDigest } from '#app/features/newsletter/write-digest.server.ts';
import { writeNewsletter } from '#app/features/newsletter/write-newsletter.server.ts';
import { priceDeals } from '#app/features/prices/price-deals.server.ts';
import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { defaultSettings } from '#app/features/site-settings/site-settings.ts';
import { seedDemo } from '#database/seed/seed-demo.ts';
import { useTestDatabase } from '#test/database.ts';
import { textOf } from '#test/render-component.tsx';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';

// Compares every discount in the demo shop's pages, feeds, emails and API responses with the
// discount check and the price log.

const database = useTestDatabase();
const site = testSite(database);

interface Known {
  id: number;
  slug: string;
  title: string;
  now: number;
  /** The verdict of the discount check for the current reduction, and its percentage. */
  verdict: string | null;
  seen: number | null;
  /** The median price of 90 days, sampled hourly. `null` if the deal was watched too briefly. */
  usual: number | null;
}

let known: Known[] = [];

beforeEach(async () => {
  await seedDemo(database.db, { now: new Date() });
  ({ rows: known } = await sql<Known>`
    with hours as (
      select d.id, l.sale_price as price
        from deals d, generate_series(1, 90 * 24) h,
             lateral (select sale_price, availability from price_log
                       where deal_id = d.id and at <= now() - h * interval '1 hour' order by at desc, id desc limit 1) l
       where l.availability <> 'out_of_stock'
    ), usual as (
      select id, percentile_disc(0.5) within group (order by price) as price from hours group by id having count(*) >= 14 * 24
    )
    select d.id, d.slug, d.title, d.sale_price as now, c.verdict, c.seen, u.price as usual
      from deals d
      left join usual u using (id)
      left join lateral (select verdict, seen from reduction_checks r
                          where r.deal_id = d.id and r.left_out is null and r.struck_price = d.original_price order by r.began_at desc limit 1) c on true`.execute(
    database.db,
  ));
});

const dealOf = (find: (deal: Known) => boolean) => {
  const deal = known.find(find);
  if (!deal) throw new Error('a card of no deal');
  return deal;
};

/**
 * Describes what is wrong with a discount, or returns `null` if the check and the log confirm it.
 */
function faultOf(deal: Known, percent: number, isUnchecked: boolean): string | null {
  const says = `${deal.slug} −${percent}%${isUnchecked ? ' (unchecked)' : ''}`;
  if (deal.verdict === 'none') return `${says}: the check saw no saving`;
  if (deal.verdict === 'smaller' || deal.verdict === 'matches')
    return percent > (deal.seen ?? 0) + 1 ? `${says}: the check saw ${deal.seen}%` : null;
  if (deal.usual === null) return isUnchecked ? null : `${says}: too little is known`;
  if (isUnchecked) return `${says}: the usual price is known`;
  const below = (100 * (deal.usual - deal.now)) / deal.usual;
  return percent > below + 1 ? `${says}: it is ${below}% below its usual price` : null;
}

interface Shown {
  deal: Known;
  percent: number | null;
  isUnchecked: boolean;
}

/** Returns the cards of a page with their badges. */
function cardsOf(html: string): Shown[] {
  return html
    .split(/<article(?=[^>]*data-key)/)
    .slice(1)
    .map((card) => {
      const [, slug = ''] = /href="\/deals\/([\w-]+)"/.exec(card) ?? [];
      const deal = dealOf((one) => one.slug === slug);
      return { deal, ...badgeOf(card.slice(0, card.indexOf('</article>'))) };
    });
}

function badgeOf(html: string) {
  const [, whose, percent] = />(Discount|Store says) <\/span>−(\d+)%/.exec(html) ?? [];
  return {
    percent: percent === undefined ? null : Number(percent),
    isUnchecked: whose === 'Store says' && /data-unchecked/.test(html),
  };
}

function faultsIn(shown: readonly Shown[]): string[] {
  return shown.flatMap(({ deal, percent, isUnchecked }) =>
    percent === null ? [] : (faultOf(deal, percent, isUnchecked) ?? []),
  );
}

/** Returns the cards of a list over all its pages. */
async function crawl(address: string): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (let next: string | undefined = address; next;) {
    const { html } = await site.page(next);
    shown.push(...cardsOf(html));
    const [, href] = /<a(?=[^>]*rel="next")[^>]*href="([^"]*)"/.exec(html) ?? [];
    next = href?.replaceAll('&amp;', '&');
  }
  return shown;
}

// Proves P7a: no badge contradicts the discount check (price-claims.ts)
test('never contradicts the discount check on a card of any list, in any order', async () => {
  const { rows: places } = await sql<{ path: string }>`
    select '/categories/' || slug as path from categories union all select '/merchants/' || slug from merchants`.execute(
    database.db,
  );
  const lists = [
    ...listSorts.map((sort) => `/deals?sort=${sort}`),
    '/deals?off=30',
    '/deals?evidence=low',
    '/deals?evidence=fell',
    '/deals?search=set',
    '/',
    ...places.map(({ path }) => `${path}?sort=discount`),
  ];
  let checked = 0;
  let unchecked = 0;
  for (const list of lists) {
    const shown = await crawl(list);
    expect(faultsIn(shown), list).toEqual([]);
    checked += shown.filter(({ percent, isUnchecked }) => percent !== null && !isUnchecked).length;
    unchecked += shown.filter(({ isUnchecked }) => isUnchecked).length;
  }
  expect(checked).toBeGreaterThan(100);
  expect(unchecked).toBeGreaterThan(10);
});

test('shows a price in green only if it is below the usual price', async () => {
  let green = 0;
  const live = known.filter(({ verdict }) => verdict !== null).length;
  for (let page = 1; page <= 10; page += 1) {
    const { html } = await site.page(`/deals?page=${page}`);
    for (const card of html.split(/<article(?=[^>]*data-key)/).slice(1)) {
      const [own = ''] = card.split('</article>');
      if (!own.includes('data-good')) continue;
      const deal = dealOf(({ slug }) => own.includes(`href="/deals/${slug}"`));
      expect(deal.now, deal.slug).toBeLessThan(deal.usual ?? 0);
      green += 1;
    }
  }
  expect(green).toBeGreaterThan(20);
  expect(green / live).toBeLessThan(0.7);
});

// Proves Storefront 2: Deals list: sorts: "Discount (highest)" orders by what the cards show (deal-list-queries.server.ts)
test('sorts “Discount (highest)” by the discounts on the badges', async () => {
  const shown = (await crawl('/deals?sort=discount')).filter(({ deal }) => deal.now > 0);
  const { rows: live } = await sql<{ id: number }>`
    select id from deals where is_active and not is_expired`.execute(database.db);
  const percents = shown.slice(0, live.length).map(({ percent }) => percent ?? 0);
  expect(percents.length).toBeGreaterThan(100);
  expect(percents).toEqual(percents.toSorted((a, b) => b - a));
});

test('shows the same discount on each deal’s page as on its card', async () => {
  for (const deal of known.filter(({ id }) => id % 4 === 0)) {
    const { html } = await site.page(`/deals/${deal.slug}`);
    const price = html.indexOf('aria-label="Price"');
    const own = html.slice(html.lastIndexOf('<article', price), price);
    expect(faultsIn([{ deal, ...badgeOf(own) }])).toEqual([]);
    const [, saved] = /You Save \$[\d.,]+ \((\d+)%\)/.exec(textOf(html)) ?? [];
    const isUnchecked = html.includes('Our log is too short to check it.');
    const percent = saved === undefined ? null : Number(saved);
    expect(faultsIn([{ deal, percent, isUnchecked }])).toEqual([]);
    expect(faultsIn(cardsOf(html))).toEqual([]);
  }
});

test('shows the same discounts in the API, feeds and emails', async () => {
  interface ParsedJson {
    id: number;
    price: { percent: number | null; is_unchecked: boolean; was: { amount: number } | null };
  }
  for (const sort of listSorts) {
    const answer = await site.request(`/api/v1/deals?sort=${sort}&page=2`);
    const { data } = (await answer.json()) as { data: ParsedJson[] };
    const shown = data.map(({ id, price }) => ({
      deal: dealOf((deal) => deal.id === id),
      percent: price.percent,
      isUnchecked: price.is_unchecked,
    }));
    expect(shown.length).toBeGreaterThan(10);
    expect(faultsIn(shown), sort).toEqual([]);
  }

  const ids = known.map(({ id }) => id);
  const services = { ...testServices(database), now: () => new Date() };
  const mailed = (
    await gatherDigest(database.db, { kind: 'weekly', settings: defaultSettings, now: new Date() })
  ).deals;
  const priced = await priceDeals(
    database.db,
    await listDealsByIds(database.db, ids),
    defaultSettings,
    new Date(),
  );
  // The lines that emails of watched searches contain.
  const news = priced.flatMap((one) => describeDeal(one, 'USD'));
  const claims = [...mailed, ...news].map(({ slug, claim }) => ({
    deal: dealOf((one) => one.slug === slug),
    percent: claim === null ? null : Number(/(\d+)% off/.exec(claim)?.[1]),
    isUnchecked: claim?.startsWith('Store says') ?? false,
  }));
  expect(claims.length).toBeGreaterThan(200);
  expect(faultsIn(claims)).toEqual([]);

  const content = ids
    .slice(0, 40)
    .map((id) => `<hr data-deal="${id}">`)
    .join('');
  const newsletter = { id: 1, subject: 'Deals', preview: '', content };
  const { letter } = await writeNewsletter(services, newsletter, { isCounted: false });
  const cards = letter.body
    .split('<table')
    .slice(1)
    .map((card) => {
      const deal = dealOf(({ slug }) => card.includes(`/deals/${slug}"`));
      const [, store, percent] = /(Store says )?(\d+)% off/.exec(card) ?? [];
      return {
        deal,
        percent: percent === undefined ? null : Number(percent),
        isUnchecked: store !== undefined,
      };
    });
  expect(cards.length).toBeGreaterThan(20);
  expect(faultsIn(cards)).toEqual([]);

  const feed = await (await site.request('/feeds/deals.json')).json();
  for (const { url, content_html } of (feed as { items: { url: string; content_html: string }[] })
    .items) {
    const deal = dealOf(({ slug }) => url.endsWith(`/deals/${slug}?from=feed`));
    const [, was, source] = /was \$([\d.,]+) \(([^)]*)\)/.exec(content_html) ?? [];
    if (was === undefined) continue;
    const cents = Math.round(Number(was.replaceAll(',', '')) * 100);
    const percent = Math.round((100 * (cents - deal.now)) / cents);
    expect(faultOf(deal, percent, source?.includes('not checked') ?? false)).toBeNull();
  }
});

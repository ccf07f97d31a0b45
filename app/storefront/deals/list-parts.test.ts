import { createElement } from 'react';
import { describe, expect, test } from 'vitest';
import type { DealFacets } from '#app/features/deals/deal-facet-queries.server.ts';
import { listHref } from '#app/features/deals/deal-list-address.ts';
import { filterAddress } from '#app/islands/filter-address.ts';
import { listAddress, parseSearchInput } from '#app/features/deals/deal-list-input.ts';
import type { PricedDeal } from '#app/features/prices/price-deals.server.ts';
import { NoResults } from '#app/storefront/search/no-results.tsx';
import { SearchResults } from '#app/storefront/search/search-results.tsx';
import { render, tagsOf, textOf } from '#test/render-component.tsx';
import { CategoryChips } from './category-chips.tsx';
import { countOfList, dealCount } from './deal-count.ts';
import { DealFilterBar } from './deal-filter-bar.tsx';
import { DealListSection } from './deal-list-section.tsx';
import type { DealListView } from './read-deal-list.server.ts';

const totals = { total: 31, expiredTotal: 3, isTotalCapped: false };

const now = new Date('2026-11-21T12:00:00Z');
const some = (count: number, isCapped = false) => ({ count, isCapped });
const facets: DealFacets = {
  status: { new: some(12), used: some(0) },
  sellerType: { amazon: some(1250, true), third_party: some(3) },
  dealType: { featured: some(1), coupon: some(2), expiring: some(0) },
  hasUnitPrices: false,
};
const addressOf = (query = '', path = '/deals') =>
  listAddress(path, parseSearchInput(new URLSearchParams(query), 'USD'), 'USD');
const hrefs = (html: string) =>
  tagsOf(html, 'a').map((tag) => /href="([^"]*)"/.exec(tag)?.[1]?.replaceAll('&amp;', '&'));
const optionsOf = (html: string, name: string) =>
  new RegExp(`<select[^>]*name="${name}"[^>]*>(.*?)</select>`, 's').exec(html)?.[1] ?? '';

const priced = (id: number): PricedDeal => ({
  deal: {
    id,
    slug: `deal-${id}`,
    title: `Deal ${id}`,
    description: '',
    picture: `https://shop.example/${id}.jpg`,
    coupon_code: null,
    expires_at: null,
    is_expired: false,
    is_featured: false,
    status: 'new',
    condition: null,
    seller_type: 'amazon',
    outHost: 'shop.example',
    merchantName: 'Shop',
  },
  price: {
    now: 1999,
    was: null,
    saved: null,
    percent: null,
    isUnchecked: false,
    evidence: null,
    unit: null,
    proof: { kind: 'no-history', isGood: false, text: 'No history yet', usual: null, line: null },
  },
});

describe('the filter bar', () => {
  const bar = (query = '', path = '/deals') =>
    render(createElement(DealFilterBar, { totals, address: addressOf(query, path), facets }));

  test('shows how many deals each filter option would leave, and disables empty options', () => {
    const html = bar();
    expect(textOf(optionsOf(html, 'status'))).toBe('All New (12) Used (0)');
    expect(textOf(optionsOf(html, 'seller'))).toBe('All Amazon (1,250+) Third party (3)');
    const used = tagsOf(optionsOf(html, 'status'), 'option').at(-1);
    expect(used).toContain('disabled');
  });

  test('keeps the chosen option enabled, even without results', () => {
    const options = tagsOf(optionsOf(bar('status=used'), 'status'), 'option');
    expect(options.at(-1)).toContain('selected');
    expect(options.at(-1)).not.toContain('disabled');
  });

  test('offers three deal types, two evidence filters and five sort orders', () => {
    expect(textOf(optionsOf(bar(), 'type'))).toBe('All Featured (1) Coupon (2) Expiring soon (0)');
    expect(textOf(optionsOf(bar(), 'evidence'))).toBe('All Real lows only Price fell this week');
    expect(textOf(optionsOf(bar(), 'sort'))).toBe(
      'Newest Discount (highest) Best against its own history Price: low to high Price: high to low',
    );
  });

  test('renders the filter bar as a plain form with an Apply button without JavaScript', () => {
    const html = bar('', '/categories/tools');
    expect(tagsOf(html, 'form')[0]).toContain('action="/categories/tools"');
    const apply = tagsOf(html, 'button').find((tag) => tag.includes('type="submit"'));
    expect(apply).toContain('data-without-js');
  });

  test('shows each active filter, with a link that removes it and keeps the others', () => {
    const html = bar('type=coupon&min=20&max=49.5&sort=discount&page=3');
    const [, applied = ''] = /aria-label="Applied filters">(.*?)<\/ul>/s.exec(html) ?? [];
    expect(textOf(applied)).toBe(
      'Remove filter Coupon deals Remove filter From $20 Remove filter Up to $49.50 Clear Filters (3)',
    );
    expect(hrefs(applied)).toEqual([
      '/deals?min=20&max=49.50&sort=discount',
      '/deals?type=coupon&max=49.50&sort=discount',
      '/deals?type=coupon&min=20&sort=discount',
      '/deals?sort=discount',
    ]);
    expect(bar('sort=discount')).not.toContain('Applied filters');
  });

  test('shows the number of active filters on the toggle for phones', () => {
    expect(bar('type=coupon&min=20')).toContain('Filters (2)');
    expect(bar()).not.toContain('Filters (');
    // The number on the option includes live deals only.
    expect(textOf(bar())).toContain('Show 28 deals');
  });

  test('shows filter prices as they were typed', () => {
    const html = bar('min=20&max=49.5');
    const value = (name: string) =>
      /value="([^"]*)"/.exec(
        tagsOf(html, 'input').find((tag) => tag.includes(`name="${name}"`)) ?? '',
      )?.[1];
    expect([value('min'), value('max')]).toEqual(['20', '49.50']);
  });

  test('uses the site’s currency in the filter bar', () => {
    const html = render(
      createElement(DealFilterBar, { totals, address: addressOf('min=20'), facets }),
      {
        site: { currency: 'EUR' },
      },
    );
    expect(textOf(html)).toContain('From €20');
  });
});

describe('the addresses of the filter bar', () => {
  const place = (slug: string) => [{ slug, name: slug, ...some(3) }];
  const all = { ...facets, category: place('audio'), merchant: place('shop') };
  const attribute = (tag: string, name: string) =>
    new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&');

  /** Returns the fields of the form as a browser reads them, each with all of its values. */
  const fieldsOf = (html: string) =>
    [...html.matchAll(/<input([^>]*)>|<select([^>]*)>(.*?)<\/select>/gs)].map(
      ([, input, select = '', inside = '']) => {
        const tag = input ?? select;
        const options = tagsOf(inside, 'option');
        const chosen = options.find((option) => option.includes('selected'));
        const isHidden = attribute(tag, 'type') === 'hidden';
        const value = attribute(chosen ?? tag, 'value') ?? '';
        const typed = isHidden ? [value] : ['', '20', '49.50'];
        const choices = options.map((option) => attribute(option, 'value') ?? '');
        return {
          name: attribute(tag, 'name') ?? '',
          value,
          usual: attribute(tag, 'data-usual'),
          choices: input ? typed : choices,
        };
      },
    );

  type ShownField = ReturnType<typeof fieldsOf>[number];
  const combinations = (fields: ShownField[]): ShownField[][] =>
    fields.reduce<ShownField[][]>(
      (lists, field) =>
        lists.flatMap((list) => field.choices.map((value) => [...list, { ...field, value }])),
      [[]],
    );

  test.each([
    ['/deals', '', facets],
    ['/categories/tools', 'type=coupon&min=20&sort=discount&page=3', facets],
    ['/deals', 'search=desk', all],
    ['/deals', 'search=a+%26+b&exact=1&category=audio&sort=newest', all],
    ['/deals', 'search=desk&category=audio&merchant=shop&max=20', facets],
  ])('builds the same filter URL as the server: %s?%s', (path, query, shown) => {
    const address = addressOf(query, path);
    const html = render(createElement(DealFilterBar, { totals, address, facets: shown }));
    const fields = fieldsOf(html);
    const [form = ''] = tagsOf(html, 'form');
    expect(attribute(form, 'data-filter')).toBe(listHref(address));
    expect(filterAddress(path, fields)).toBe(listHref(address));
    const others = combinations(fields).flatMap((chosen) => {
      const changes = Object.fromEntries(chosen.map(({ name, value }) => [name, value]));
      const [asked, written] = [filterAddress(path, chosen), listHref(address, changes)];
      return asked === written ? [] : [[asked, written]];
    });
    expect(others).toEqual([]);
  });
});

describe('the category chips', () => {
  const chips = (current: string | null, query = '') =>
    render(
      createElement(CategoryChips, {
        categories: [
          { slug: 'audio', name: 'Audio' },
          { slug: 'tools', name: 'Tools' },
        ],
        current,
        suffix: query && `?${query}`,
      }),
    );
  const currentOf = (html: string) =>
    tagsOf(html, 'a').map((tag) => tag.includes('aria-current="page"'));

  test('starts the category chips with all deals and marks the current one', () => {
    expect(textOf(chips(null))).toBe('All Deals Audio Tools');
    expect(currentOf(chips(null))).toEqual([true, false, false]);
    expect(currentOf(chips('tools'))).toEqual([false, false, true]);
    expect(currentOf(chips('other'))).toEqual([false, false, false]);
  });

  test('keeps the other filters in the category chips', () => {
    expect(hrefs(chips(null, 'type=coupon'))).toEqual([
      '/deals?type=coupon',
      '/categories/audio?type=coupon',
      '/categories/tools?type=coupon',
    ]);
    expect(hrefs(chips(null))).toEqual(['/deals', '/categories/audio', '/categories/tools']);
  });
});

describe('a list of deals', () => {
  const view = (change: Partial<DealListView> = {}): DealListView => ({
    address: addressOf(),
    page: 1,
    now,
    deals: [1, 2, 3, 4, 5, 6].map(priced),
    total: 6,
    isTotalCapped: false,
    expiredTotal: 0,
    isCollapsed: false,
    productTotal: null,
    storeCount: 1,
    pageCount: 1,
    pageSize: 24,
    facets,
    ...change,
  });
  const section = (change: Partial<DealListView> = {}) =>
    render(
      createElement(DealListSection, { list: view(change), countText: '6 deals from 1 store' }),
    );

  test('shows a list’s count, and P35c: how it is ranked', () => {
    expect(section()).toMatch(/role="status">6 deals from 1 store</);
    expect(hrefs(section())).toContain('/how-we-rank');
  });

  test('loads the pictures of a list’s first row at once, the very first with priority', () => {
    const images = tagsOf(section(), 'img');
    expect(images.map((tag) => tag.includes('loading="eager"'))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(images.filter((tag) => /fetchpriority="high"/i.test(tag))).toHaveLength(1);
  });

  test('states that each product is shown once, instead of counting cards as deals', () => {
    const text = textOf(section({ isCollapsed: true, page: 2, pageCount: 8, total: 228 }));
    expect(text).toContain('Page 2 of 8, each product once');
    expect(text).not.toContain('Showing');
  });

  test('shows which deals of a list are on the page', () => {
    expect(textOf(section())).toContain('Showing 1–6 of 6 deals');
    expect(textOf(section({ expiredTotal: 2 }))).toContain(
      'Showing 1–6 of 6 deals, the last 2 of them expired',
    );
    const third = section({
      page: 3,
      total: 12_000,
      isTotalCapped: true,
      pageCount: 500,
    });
    expect(textOf(third)).toContain('Showing 49–54 of 12,000+ deals');
    expect(hrefs(third)).toContain('/deals?page=4');
    expect(hrefs(third)).toContain('/deals?page=2');
  });

  test('keeps the filters in links to a list’s other pages', () => {
    const html = section({ address: addressOf('type=coupon'), page: 2, pageCount: 3 });
    expect(hrefs(html)).toContain('/deals?type=coupon&page=3');
    expect(hrefs(html)).toContain('/deals?type=coupon');
  });

  // Proves Storefront 2: Deals list: six skeleton cards (list-region.tsx)
  // Proves Storefront 9: Six skeletons (list-region.tsx)
  test('includes the fallbacks of a list: six skeletons, and a retry', () => {
    const [, waiting = ''] =
      /<template data-when="waiting">(.*?)<\/template>/s.exec(section()) ?? [];
    expect(textOf(waiting)).toBe('Loading deals…');
    expect(waiting).toMatch(/<output class="visually-hidden">Loading deals…</);
    expect(waiting.match(/aria-hidden="true"/g)).toHaveLength(6);
    const [, lost = ''] = /<template data-when="lost">(.*?)<\/template>/s.exec(section()) ?? [];
    expect(textOf(lost)).toBe(
      'Something went wrong The deals could not be loaded. Please try again. Retry',
    );
    expect(lost).toContain('role="alert"');
  });

  test('changes a list in place only through its filters, order and pages', () => {
    const html = section({ address: addressOf('type=coupon'), page: 2, pageCount: 3 });
    const swaps = (how: string) =>
      tagsOf(html, 'a')
        .filter((tag) => tag.includes(`data-swap="${how}"`))
        .flatMap((tag) => hrefs(tag));
    expect(swaps('replace')).toEqual(['']); // the retry
    expect(swaps('push')).toEqual([
      '/deals',
      '/deals',
      '/deals?type=coupon',
      '/deals?type=coupon',
      '/deals?type=coupon&page=2',
      '/deals?type=coupon&page=3',
      '/deals?type=coupon&page=3',
    ]);
    const chips = render(
      createElement(CategoryChips, {
        categories: [{ slug: 'audio', name: 'Audio' }],
        current: null,
        suffix: '',
      }),
    );
    expect(chips).not.toContain('data-swap');
  });

  test('offers next steps in an empty list, and to clear filters only if there are some', () => {
    const empty = section({ deals: [], total: 0 });
    expect(textOf(empty)).toContain(
      'No deals found Try adjusting your search criteria or browse different categories.',
    );
    expect(hrefs(empty)).toContain('/categories');
    expect(textOf(empty)).not.toContain('Clear Filters');
    const filtered = section({
      deals: [],
      total: 0,
      address: addressOf('type=coupon&sort=discount'),
    });
    expect(filtered).toMatch(/href="\/deals\?sort=discount"[^>]*>Clear Filters</);
  });

  test.each([
    [1, false, '1 deal'],
    [0, false, '0 deals'],
    [2, false, '2 deals'],
    [1, true, '1+ deals'],
    [12_000, true, '12,000+ deals'],
  ])('describes a count of %i deals (capped: %s) as %s', (total, isCapped, words) => {
    expect(dealCount(total, isCapped)).toBe(words);
  });

  // Proves P4: counts are of live deals (deal-count.ts)
  test.each([
    [{ total: 240, expiredTotal: 0, isTotalCapped: false }, '240 deals in Audio'],
    [{ total: 240, expiredTotal: 12, isTotalCapped: false }, '228 deals in Audio · 12 expired'],
    [{ total: 2, expiredTotal: 1, isTotalCapped: false }, '1 deal in Audio · 1 expired'],
    [
      { total: 240, expiredTotal: 12, isTotalCapped: false, productTotal: 190 },
      '228 deals of 190 products in Audio · 12 expired',
    ],
    [{ total: 3, expiredTotal: 3, isTotalCapped: false }, '0 deals in Audio · 3 expired'],
    [{ total: 2400, expiredTotal: 0, isTotalCapped: true }, '2,400+ deals in Audio'],
    [{ total: 2400, expiredTotal: 1, isTotalCapped: true }, '2,399 deals in Audio · 1+ expired'],
  ])('describes the list count %j as %s', (counts, words) => {
    expect(countOfList(counts, ' in Audio')).toBe(words);
  });
});

describe('the results of a search', () => {
  const view = (query: string) => ({
    text: new URLSearchParams(query).get('search') ?? '',
    isRead: false,
    link: null,
    address: addressOf(query),
    now,
    found: null,
  });
  const found = {
    facets,
    deals: [priced(1)],
    total: 1,
    isTotalCapped: false,
    expiredTotal: 0,
    categories: [],
    without: [],
    merchants: [],
    totalResults: 1,
    correctedQuery: null,
    alsoSearched: [],
    page: 1,
    pageCount: 1,
    instead: null,
  };
  const results = (change: object = {}, query = 'search=desk') =>
    render(
      createElement(SearchResults, {
        view: { ...view(query), found: { ...found, ...change } } as never,
      }),
    );

  test('shows the query, the total and the number of results of each kind', () => {
    const text = textOf(results());
    expect(text).toContain(
      'Search Results for "desk" Found 1 result 1 deal · 0 categories · 0 stores',
    );
    const category = {
      id: 1,
      name: 'Desks',
      slug: 'desks',
      icon: 'tag',
      description: '',
      deal_count: 1,
    };
    const many = results({ totalResults: 3, categories: [category, { ...category, id: 2 }] });
    expect(textOf(many)).toContain('Found 3 results 1 deal · 2 categories · 0 stores');
    expect(textOf(many)).toContain('Categories (2)');
    const over = textOf(results({ total: 9, expiredTotal: 2, totalResults: 9 }));
    expect(over).toContain('Found 7 results 7 deals · 2 expired · 0 categories');
    expect(over).toContain('Deals (7)');
  });

  test('shows a section of results only for kinds with results', () => {
    expect(results()).toContain('id="found-deals"');
    expect(results()).not.toContain('id="found-categories"');
    expect(results()).not.toContain('id="found-stores"');
  });

  test('shows the corrected query with a link to the typed one', () => {
    const html = results({ correctedQuery: 'desk' }, 'search=dsk');
    expect(textOf(html)).toContain('Showing results for desk . Search instead for dsk');
    expect(hrefs(html)).toContain('/deals?search=dsk&exact=1');
  });

  test('reports a failed search, with a retry', () => {
    const html = render(
      createElement(SearchResults, {
        view: view('search=desk&sort=newest'),
      }),
    );
    expect(textOf(html)).toContain(
      'Search Error There was an error searching for "desk". Please try again.',
    );
    expect(html).toContain('role="alert"');
    expect(hrefs(html)).toContain('/deals?search=desk&sort=newest');
  });

  test('shows the query while results load, or when loading fails', () => {
    const html = results();
    const [, waiting = ''] = /<template data-when="waiting">(.*?)<\/template>/s.exec(html) ?? [];
    expect(textOf(waiting)).toBe('Searching for "desk"...');
    expect(waiting).not.toContain('visually-hidden');
    expect(textOf(html)).toContain(
      'Search Error There was an error searching for "desk". Please try again. Retry',
    );
  });

  test('shows the query as text, never as markup', () => {
    const html = results({}, 'search=%3Cscript%3Ealert(1)%3C/script%3E');
    expect(html).not.toContain('<script>');
    expect(textOf(html)).toContain('Search Results for "<script>alert(1)</script>"');
  });

  test('shows four tips when a search is empty, and mentions the price range if it may be the reason', () => {
    const instead = {
      searches: ['Audio & more'],
      title: 'Featured Deals',
      deals: [priced(2)],
    } as const;
    const nothing = (query: string) =>
      render(
        createElement(NoResults, {
          view: view(query),
          instead: { ...instead, searches: [...instead.searches], deals: [...instead.deals] },
        }),
      );
    const html = nothing('search=zqx&min=5');
    expect(textOf(html)).toContain('Nothing matches "zqx" in this price range.');
    expect(html).toMatch(/href="\/deals\?search=zqx"[^>]*>Clear Filters</);
    const [, tips = ''] = /Nothing matches.*?<ul[^>]*>(.*?)<\/ul>/s.exec(html) ?? [];
    expect(tagsOf(tips, 'li')).toHaveLength(4);
    expect(hrefs(html)).toContain('/deals?search=Audio+%26+more');
    expect(textOf(html)).toContain('Featured Deals');
    expect(textOf(nothing('search=zqx'))).not.toContain('Clear Filters');
    const narrow = nothing('search=zqx&exact=1&sort=newest&min=5&status=used&merchant=shop');
    expect(textOf(narrow)).toContain('Nothing matches "zqx" with these filters.');
    expect(hrefs(narrow)).toContain('/deals?search=zqx&exact=1&sort=newest');
  });

  test('keeps the search in its filters, which can be removed one by one', () => {
    const html = render(
      createElement(DealFilterBar, {
        totals,
        address: addressOf('search=desk&min=5&max=20&sort=oldest&page=2'),
        facets,
      }),
    );
    expect(html).toContain('<input type="hidden" name="search" value="desk"/>');
    expect(textOf(optionsOf(html, 'sort'))).toBe(
      'Relevance Best against its own history Price: low to high Price: high to low Newest Oldest',
    );
    expect(textOf(html)).toContain(
      'Remove filter From $5 Remove filter Up to $20 Clear Filters (2)',
    );
    for (const href of hrefs(html)) {
      expect(href).toContain('search=desk');
      expect(href).toContain('sort=oldest');
      expect(href).not.toContain('page=');
    }
  });

  test('shows a control for every declared parameter of a search', () => {
    const place = [{ slug: 'a', name: 'A', count: 1, isCapped: false }];
    const all = { ...facets, category: place, merchant: place };
    // A filter without its own select is kept unchanged.
    const kept = 'condition=good&brand=Lumo&off=5';
    for (const search of ['', 'search=desk&exact=1&']) {
      const address = addressOf(search + kept);
      const html = render(
        createElement(DealFilterBar, { totals, address, facets: search ? all : facets }),
      );
      const names = [...html.matchAll(/<(?:input|select)[^>]* name="([^"]*)"/g)].map(
        ([, name]) => name,
      );
      expect(new Set([...names, 'page'])).toEqual(new Set(Object.keys(address.values)));
    }
  });

  test('filters results by category and store in addition to all filters of a list', () => {
    const category = [
      { slug: 'audio', name: 'Audio', ...some(3, true) },
      { slug: 'tools', name: 'Tools', ...some(0, true) },
    ];
    const merchant = [{ slug: 'shop', name: 'The Shop', ...some(2) }];
    const bar = (query: string) =>
      render(
        createElement(DealFilterBar, {
          totals,
          address: addressOf(query),
          facets: { ...facets, category, merchant },
        }),
      );
    const html = bar('search=desk&category=audio&merchant=shop&type=coupon');
    expect(tagsOf(html, 'select').map((tag) => /name="(\w+)"/.exec(tag)?.[1])).toEqual([
      'category',
      'merchant',
      'status',
      'seller',
      'type',
      'evidence',
      'sort',
    ]);
    expect(textOf(html)).toContain(
      'Remove filter Audio Remove filter The Shop Remove filter Coupon deals Clear Filters (3)',
    );
    expect(hrefs(html)).toContain('/deals?search=desk&merchant=shop&type=coupon');
    expect(hrefs(html)).toContain('/deals?search=desk');
    // A capped count of zero is not exact, so the option stays enabled.
    expect(textOf(optionsOf(html, 'category'))).toBe('All Audio (3+) Tools');
    expect(optionsOf(html, 'category')).not.toContain('disabled');
  });

  test('does not confuse a query with the sort order of the same name', () => {
    expect(listHref(addressOf('search=relevance'))).toBe('/deals?search=relevance');
  });
});

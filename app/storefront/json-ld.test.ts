import { describe, expect, test } from 'vitest';
import type { DealDetail } from '#app/features/deals/deal-queries.server.ts';
import type { ShownPrice } from '#app/features/prices/judge-price.ts';
import { unitPriceOf } from '#app/features/prices/unit-price.ts';
import { testSiteFacts as site } from '#test/render-component.tsx';
import { articleJsonLd } from './blog/article-json-ld.ts';
import { dealJsonLd } from './deals/deal-json-ld.ts';
import { describeDeal } from './deals/describe-deal.ts';
import { withoutPrices } from './deals/page-deal.ts';
import { homeJsonLd } from './home/home-json-ld.ts';

const deal = {
  id: 7,
  slug: 'desk-lamp',
  title: 'Desk lamp',
  description: 'Bright.',
  image_url: null,
  brand: null,
  gtin: null,
  sale_price: 1999,
  original_price: 3999,
  discount_percent: 50,
  discount_amount: 2000,
  observed_percent: 20,
  low_30_before: 2499,
  availability: 'in_stock',
  status: 'new',
  condition: null,
  is_expired: false,
  expires_at: null,
  category: { name: 'Lighting', slug: 'lighting' },
  merchant: { name: 'Lamp House' },
} as unknown as DealDetail;

const price: ShownPrice = {
  now: 1999,
  unit: null,
  claim: {
    percent: 50,
    was: 3999,
    saved: 2000,
    basis: 'claimed',
    isUnchecked: false,
    storePercent: null,
    evidence: '',
    source: null,
  },
  proof: { kind: 'no-history', isGood: false, text: 'No history yet', usual: null, line: null },
  lowestEver: null,
  low30Before: null,
  usual: null,
  low30Period: '',
};

/** Returns a deal as structured data. */
function product(change: Partial<DealDetail> = {}, shown: ShownPrice | null = price) {
  const [document] = dealJsonLd({ ...deal, ...change }, shown, site);
  return JSON.parse(JSON.stringify(document)) as Record<string, unknown> & {
    offers?: Record<string, unknown>;
  };
}

describe('a deal’s structured data', () => {
  test('describes a deal as a product with one offer in the site’s currency', () => {
    expect(product()).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Desk lamp',
      url: `${site.origin}/deals/desk-lamp`,
      category: 'Lighting',
      description: 'Bright.',
      offers: {
        '@type': 'Offer',
        price: '19.99',
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
        itemCondition: 'https://schema.org/NewCondition',
        url: `${site.origin}/deals/desk-lamp`,
        seller: { '@type': 'Organization', name: 'Lamp House' },
      },
    });
  });

  test('includes net contents and the base of the unit price in Google’s format', () => {
    const unit = unitPriceOf(1999, '700 g per 100 g', 'USD');
    expect(product({}, { ...price, unit }).offers?.priceSpecification).toEqual({
      '@type': 'UnitPriceSpecification',
      price: '19.99',
      priceCurrency: 'USD',
      referenceQuantity: {
        '@type': 'QuantitativeValue',
        value: 700,
        unitCode: 'GRM',
        valueReference: { '@type': 'QuantitativeValue', value: 100, unitCode: 'GRM' },
      },
    });
    expect(product().offers).not.toHaveProperty('priceSpecification');
  });

  test('includes only known values in structured data', () => {
    const full = product({ brand: 'Lumo', gtin: '4006381333931', image_url: '/media/l-640.webp' });
    expect(full).toMatchObject({
      brand: { '@type': 'Brand', name: 'Lumo' },
      gtin: '4006381333931',
      image: `${site.origin}/media/l-640.webp`,
    });
    const bare = product({ description: '' });
    for (const name of ['brand', 'gtin', 'image', 'description'])
      expect(bare).not.toHaveProperty(name);
  });

  test('P35d: does not include a price in structured data that is hidden from visitors', () => {
    expect(product({}, null)).not.toHaveProperty('offers');
    expect(JSON.stringify(product({}, null))).not.toContain('19.99');
  });

  test.each([
    [{ availability: 'in_stock' }, 'https://schema.org/InStock'],
    [{ availability: 'out_of_stock' }, 'https://schema.org/OutOfStock'],
    [{ availability: 'unknown' }, undefined],
    [{ is_expired: true }, 'https://schema.org/Discontinued'],
    [{ availability: 'unknown', is_expired: true }, 'https://schema.org/Discontinued'],
  ] as const)('maps the availability %j to %s', (facts, word) => {
    expect(product(facts).offers?.availability).toBe(word);
  });

  test.each([
    [{ status: 'new', condition: 'good' }, 'NewCondition'],
    [{ status: 'used', condition: null }, 'UsedCondition'],
    [{ status: 'used', condition: 'like_new' }, 'UsedCondition'],
    [{ status: 'used', condition: 'refurbished' }, 'RefurbishedCondition'],
  ] as const)('maps the condition %j to %s', (facts, word) => {
    expect(product(facts).offers?.itemCondition).toBe(`https://schema.org/${word}`);
  });

  test('uses the expiry as the last day of the price in structured data', () => {
    const ending = product({ expires_at: new Date('2026-11-23T22:00:00Z') });
    expect(ending.offers?.priceValidUntil).toBe('2026-11-23');
  });

  test('builds a deal’s breadcrumbs from the home page through its category', () => {
    const [, way] = dealJsonLd(deal, price, site);
    expect(way.itemListElement).toEqual([
      { '@type': 'ListItem', position: 1, name: 'Home', item: `${site.origin}/` },
      {
        '@type': 'ListItem',
        position: 2,
        name: 'Lighting',
        item: `${site.origin}/categories/lighting`,
      },
      { '@type': 'ListItem', position: 3, name: 'Desk lamp' },
    ]);
  });
});

describe('a deal’s description for search engines', () => {
  test('describes a deal for search engines by price and store, as expired, or by where to see its price', () => {
    expect(describeDeal(deal, price, 'USD')).toBe(
      '$19.99 at Lamp House, with its price history. Bright.',
    );
    expect(describeDeal({ ...deal, is_expired: true }, price, 'USD')).toBe(
      'This deal at Lamp House has expired. Bright.',
    );
    expect(describeDeal(deal, null, 'USD')).toBe('See the price at Lamp House. Bright.');
    expect(describeDeal({ ...deal, description: '' }, null, 'USD')).toBe(
      'See the price at Lamp House.',
    );
  });
});

test('P35d: does not pass a deal’s raw prices to the page', () => {
  const kept = withoutPrices(deal);
  expect(JSON.stringify(kept)).not.toMatch(/1999|3999|2499|2000|"(?:discount|observed)/);
  expect(kept).toMatchObject({ id: 7, title: 'Desk lamp', availability: 'in_stock' });
});

describe('an article’s structured data', () => {
  const post = {
    id: 3,
    slug: 'a-guide',
    title: 'A guide',
    excerpt: 'What to look for.',
    featured_image_url: '/media/guide.webp',
    author: 'Ada',
    read_time: 7,
    tags: ['Tools', 'Prices'],
    shown_at: new Date('2026-11-03T10:00:00Z'),
    updated_at: new Date('2026-11-05T10:00:00Z'),
  };
  type Post = Parameters<typeof articleJsonLd>[1];
  const read = (change: Partial<Post> = {}) =>
    JSON.parse(JSON.stringify(articleJsonLd(site, { ...post, ...change }))) as Record<
      string,
      unknown
    >[];

  test('includes an article’s author, times, tags and read time in structured data', () => {
    expect(read()[0]).toMatchObject({
      '@type': 'BlogPosting',
      headline: 'A guide',
      url: `${site.origin}/blog/a-guide`,
      image: `${site.origin}/media/guide.webp`,
      datePublished: '2026-11-03T10:00:00.000Z',
      dateModified: '2026-11-05T10:00:00.000Z',
      timeRequired: 'PT7M',
      keywords: ['Tools', 'Prices'],
      author: { '@type': 'Person', name: 'Ada' },
      publisher: { '@type': 'Organization', name: 'Deal Hub', url: `${site.origin}/` },
    });
  });

  test('omits missing values from an article’s structured data', () => {
    const [bare] = read({ excerpt: '', featured_image_url: null });
    expect(bare).not.toHaveProperty('description');
    expect(bare).not.toHaveProperty('image');
  });

  test('builds an article’s breadcrumbs from the home page through the blog', () => {
    const names = (read()[1]?.itemListElement as { name: string }[] | undefined)?.map(
      ({ name }) => name,
    );
    expect(names).toEqual(['Home', 'Blog', 'A guide']);
  });
});

test('describes the site’s search in the home page’s structured data, with a placeholder', () => {
  const [website, organization] = homeJsonLd(site);
  expect(website).toMatchObject({
    '@type': 'WebSite',
    name: 'Deal Hub',
    potentialAction: {
      target: { urlTemplate: `${site.origin}/deals?search={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  });
  expect(organization).toMatchObject({
    '@type': 'Organization',
    logo: `${site.origin}/icon-512.png`,
  });
});

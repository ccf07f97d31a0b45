import { type ComponentProps, createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MadeOnceContext } from '#app/ui/made-once.ts';
import { describe, expect, test } from 'vitest';
import { render, tagsOf, textOf } from '#test/render-component.tsx';
import { describeHistory } from './describe-history.ts';
import type { CardPrice, PricedDeal } from './price-deals.server.ts';
import { PriceHistory } from './price-history.tsx';
import { PriceLine } from './price-line.tsx';
import { PricedDealCard } from './priced-deal-card.tsx';
import { ProofLine } from './proof-line.tsx';

const now = new Date('2026-11-21T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

describe('the price line', () => {
  const line = (was: number | null, saved: number | null, currency = 'USD') =>
    render(
      createElement(PriceLine, {
        price: { now: 1999, was, saved, isUnchecked: false, unit: null },
        currency,
      }),
    );

  test('states the current price, the earlier price and the saving in text', () => {
    expect(textOf(line(3999, 2000))).toBe('Now $19.99 Was $39.99 Save $20.00');
    expect(tagsOf(line(3999, 2000), 's')).toHaveLength(1);
  });

  test('shows no struck price without a claim', () => {
    expect(textOf(line(null, null))).toBe('Now $19.99');
    expect(tagsOf(line(null, null), 's')).toEqual([]);
  });

  test('uses the site’s currency for the price line', () => {
    expect(textOf(line(null, null, 'EUR'))).toBe('Now €19.99');
  });
});

describe('the evidence line', () => {
  test('highlights the evidence line when the price is good', () => {
    const line = (isGood: boolean) =>
      render(createElement(ProofLine, { proof: { ...lowest, isGood } }));
    expect(line(true)).toContain('data-good="true"');
    expect(line(false)).not.toContain('data-good');
  });

  test('shows the evidence text, and a sparkline only if there is one', () => {
    const drawn = render(
      createElement(ProofLine, {
        proof: {
          kind: 'lowest-in',
          isGood: false,
          text: 'Lowest in 30 days',
          usual: 'usually $25',
          line: 'M2 2H62',
        },
      }),
    );
    expect(textOf(drawn)).toBe('Lowest in 30 days usually $25');
    expect(drawn).toContain('<path d="M2 2H62"');
    expect(drawn).toContain('aria-hidden="true"');
    const plain = render(
      createElement(ProofLine, {
        proof: {
          kind: 'no-history',
          isGood: false,
          text: 'No history yet',
          usual: null,
          line: null,
        },
      }),
    );
    expect(plain).not.toContain('<svg');
  });
});

const lowest = {
  kind: 'lowest-in',
  isGood: false,
  text: 'Lowest in 30 days',
  usual: null,
  line: null,
} as const;
const lampPrice: CardPrice = {
  now: 1999,
  was: 3999,
  saved: 2000,
  percent: 50,
  isUnchecked: false,
  evidence: 'Was: the store’s claim',
  unit: null,
  proof: lowest,
};
const priced: PricedDeal = {
  deal: {
    id: 7,
    slug: 'desk-lamp',
    title: 'Desk lamp',
    description: '',
    picture: null,
    coupon_code: null,
    expires_at: new Date('2026-11-22T01:00:00Z'),
    is_expired: false,
    is_featured: false,
    status: 'new',
    condition: null,
    seller_type: 'amazon',
    outHost: 'shop.example',
    merchantName: 'Lamp House',
  },
  price: lampPrice,
};

describe('a card with a price', () => {
  const card = (price: PricedDeal['price'], site = {}) =>
    render(createElement(PricedDealCard, { priced: { ...priced, price }, now }), { site });

  test('shows the badge, prices, evidence and source of the struck price on a card', () => {
    const text = textOf(card(priced.price));
    expect(text).toContain('Discount −50%');
    expect(text).toContain('Now $19.99 Was $39.99 Save $20.00 Lowest in 30 days');
    expect(text).toContain('Was: the store’s claim');
  });

  test('shows the price per unit below the price of a card, if it is known', () => {
    const text = textOf(card({ ...lampPrice, unit: '$12.84 / kg' }));
    expect(text).toContain('Save $20.00 $12.84 / kg Lowest in 30 days');
    expect(textOf(card(lampPrice))).not.toContain(' / ');
  });

  test('P35d: shows no number from a hidden price on a card', () => {
    const text = textOf(card(null));
    expect(text).toContain('See price at store');
    expect(text).not.toMatch(/[$%]/);
    expect(text).toContain('Get Deal');
  });

  test('shows neither badge nor evidence without a claim', () => {
    const proof = {
      kind: 'no-history',
      isGood: false,
      text: 'No history yet',
      usual: null,
      line: null,
    } as const;
    const none = { was: null, saved: null, percent: null, isUnchecked: false };
    const price = { now: 1999, ...none, evidence: null, unit: null, proof };
    const text = textOf(card(price));
    expect(text).not.toContain('Discount');
    expect(text).not.toContain('Was');
    expect(text).toContain('No history yet');
  });

  test('shows when the deal ends, in the site’s time zone', () => {
    const html = card(priced.price, { timeZone: 'America/New_York' });
    expect(html).toMatch(/Ends [^<]*(?:<!-- -->)? · Nov 21, 2026/);
  });
});

test('renders the same card with and without the cache, in every variant', () => {
  const soon = new Date(now.getTime() + 5 * 3_600_000);
  const none = { was: null, saved: null, isUnchecked: false, evidence: null };
  const price = { ...lampPrice, ...none, percent: 40 };
  const deals = [
    { title: 'Floor lamp' },
    { merchantName: 'Lamps & Co' },
    { coupon_code: 'LIGHT' },
    { expires_at: soon },
    { expires_at: null },
    { is_expired: true },
    { is_featured: true },
    { picture: '/media/lamp.webp' },
    { slug: 'lamp' },
  ];
  const looks: Partial<ComponentProps<typeof PricedDealCard>>[] = [
    ...deals.map((one) => ({ priced: { ...priced, deal: { ...priced.deal, ...one } } })),
    { priced: { ...priced, price: null } },
    { priced: { ...priced, price: { ...price, unit: '$2.00 / piece' } } },
    { priced: { ...priced, price: { ...price, proof: { ...lowest, text: 'Usual price' } } } },
    { now: new Date(now.getTime() + 3 * 3_600_000) },
    { variant: 'compact' },
    { headingLevel: 2 },
    { isEager: true },
    { isFirst: true },
    { actions: 'Favorite' },
    { note: '3 % less than when you kept it' },
    {},
  ];
  const made = new Map<string, string>();
  const make = (key: string, part: ReactNode) => {
    const markup = made.get(key) ?? renderToStaticMarkup(part);
    made.set(key, markup);
    return markup;
  };
  for (const site of [{}, { currency: 'EUR' }, { timeZone: 'Asia/Tokyo' }]) {
    const cards = [...looks, ...looks].map((look, key) =>
      createElement(PricedDealCard, { priced, now, ...look, key }),
    );
    expect(
      render(createElement(MadeOnceContext, { value: { whole: make } }, cards), { site }),
    ).toBe(render(createElement('div', null, cards), { site }).replace(/^<div>|<\/div>$/g, ''));
  }
  // Cards with visitor-specific buttons or notes, and picture placeholders, are not cached.
  const cardsMade = [...made.keys()].filter((key) => key.startsWith('card '));
  // A deal without an end date looks the same in every time zone.
  expect(cardsMade).toHaveLength(3 * (looks.length - 2) - 1);
});

describe('a page’s price history', () => {
  const history = describeHistory(
    [
      { at: daysAgo(60), sale_price: 3000, availability: 'in_stock', source: 'feed' },
      { at: daysAgo(20), sale_price: 2000, availability: 'out_of_stock', source: 'feed' },
      { at: daysAgo(10), sale_price: 2500, availability: 'in_stock', source: 'admin' },
    ],
    { days: 90, now, endedAt: null },
    { currency: 'USD', timeZone: 'UTC' },
  );
  const whole = (props: Partial<Parameters<typeof PriceHistory>[0]> = {}) =>
    render(
      createElement(PriceHistory, {
        history,
        days: 90,
        path: '/deals/desk-lamp',
        keepsHistory: true,
        merchantName: 'Lamp House',
        ...props,
      }),
    );
  const template = /<template data-when="lost">(.*?)<\/template>/s;
  /** Removes the part that is shown only when loading another range fails. */
  const section = (...props: Parameters<typeof whole>) => whole(...props).replace(template, '');

  test('shows the fallback when a range of the price history fails to load', () => {
    const [, lost = ''] = template.exec(whole()) ?? [];
    expect(textOf(lost)).toBe(
      'Something went wrong The price history could not be loaded. Please try again. Retry',
    );
  });

  test('changes the range of the price history in place, without adding a browser history entry', () => {
    const links = tagsOf(section(), 'a');
    expect(links.map((tag) => tag.includes('data-swap="replace"'))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test('gives the chart a name and a description, for wide and narrow screens', () => {
    const html = section();
    const pictures = tagsOf(html, 'svg').filter((tag) => tag.includes('role="img"'));
    expect(pictures).toHaveLength(2);
    expect(html.match(/<title id="[^"]+">Price history<\/title>/g)).toHaveLength(2);
    expect(html).toContain(`${history?.summary}. The table below the chart lists every price.`);
    const ids = [...html.matchAll(/<(?:title|desc) id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(4);
    for (const tag of pictures) {
      const [, labelled, described] =
        /aria-labelledby="([^"]+)" aria-describedby="([^"]+)"/.exec(tag) ?? [];
      expect(ids).toContain(labelled);
      expect(ids).toContain(described);
    }
  });

  test('links to the four ranges, the default without a parameter, and marks the current one', () => {
    const [nav = ''] = /<nav.*?<\/nav>/s.exec(section({ days: 365 })) ?? [];
    const links = tagsOf(nav, 'a');
    expect(links.map((tag) => /href="([^"]*)"/.exec(tag)?.[1])).toEqual([
      '/deals/desk-lamp?days=30',
      '/deals/desk-lamp',
      '/deals/desk-lamp?days=365',
      '/deals/desk-lamp?days=all',
    ]);
    expect(links.map((tag) => tag.includes('aria-current="true"'))).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  test('explains the dashes of the chart', () => {
    expect(textOf(section())).toContain(
      'Dashed: out of stock. A price while out of stock does not count as a low.',
    );
  });

  test('shows a table with a row per price and column headings', () => {
    const html = section();
    expect(tagsOf(html, 'tr')).toHaveLength(4);
    expect(tagsOf(html, 'th').every((tag) => tag.includes('scope="col"'))).toBe(true);
    expect(textOf(html)).toContain('Nov 11, 2026 $25.00 Entered by our staff');
  });

  test('explains that the history starts now if there is no log, and links to no ranges', () => {
    const html = section({ history: null });
    expect(textOf(html)).toContain('No history yet. Price changes will appear here.');
    expect(tagsOf(html, 'a')).toEqual([]);
  });

  test('P35d: names the store that forbids price history', () => {
    expect(textOf(section({ history: null, keepsHistory: false }))).toContain(
      'Lamp House does not allow its prices to be tracked',
    );
  });
});

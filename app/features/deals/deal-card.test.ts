import { createElement } from 'react';
import { describe, expect, test } from 'vitest';
import { render, tagsOf, textOf } from '#test/render-component.tsx';
import type { CardDeal } from './card-deal.ts';
import styles from './deal-card.module.css';
import { DealCard } from './deal-card.tsx';

const now = new Date('2026-11-21T12:00:00Z');

const deal: CardDeal = {
  id: 7,
  slug: 'desk-lamp',
  title: 'Desk lamp',
  description: 'Bright and quiet.',
  picture: null,
  coupon_code: null,
  expires_at: null,
  is_expired: false,
  is_featured: false,
  status: 'new',
  condition: null,
  seller_type: 'third_party',
  outHost: 'shop.example',
  merchantName: 'Lamp House',
};

type Props = Partial<Parameters<typeof DealCard>[0]>;

function card(overrides: Partial<CardDeal> = {}, props: Props = {}): string {
  const facts = { now, timeZone: 'UTC', discount: null, ...props };
  return render(
    createElement<Parameters<typeof DealCard>[0]>(
      DealCard,
      { deal: { ...deal, ...overrides }, ...facts } as Parameters<typeof DealCard>[0],
      'the price',
    ),
  );
}

describe('a deal card', () => {
  // Proves Storefront 2: Deal card: parts and variants (priced-deal-card.tsx)
  test('shows a deal card’s merchant and prices, and links to the page and the store', () => {
    const html = card();
    expect(textOf(html)).toContain('Lamp House New Third party Desk lamp Bright and quiet.');
    expect(textOf(html)).toContain('the price');
    const links = tagsOf(html, 'a').map((tag) => /href="([^"]*)"/.exec(tag)?.[1]);
    expect(links).toEqual(['/deals/desk-lamp', '/out/7', '/deals/desk-lamp']);
    expect(html).toContain('aria-label="View Deal: Desk lamp"');
  });

  test('P35: opens the store in a new tab, as nofollow, and names its host', () => {
    const html = card();
    const out = tagsOf(html, 'a').find((tag) => tag.includes('/out/7'));
    expect(out).toContain('target="_blank"');
    expect(out).toContain('rel="sponsored nofollow noopener"');
    expect(textOf(html)).toContain('Get Deal at Lamp House: Desk lamp (opens in a new tab)');
    expect(textOf(html)).toContain('at shop.example');
  });

  test('labels a card as expired, and links to no store', () => {
    const html = card({ is_expired: true, expires_at: new Date('2026-11-03T08:00:00Z') });
    const text = textOf(html);
    expect(text).toContain('EXPIRED');
    expect(text).toContain('Expired Nov 3, 2026');
    expect(text).toContain('Deal Expired');
    expect(text).not.toContain('Get Deal');
    expect(text).not.toContain('at shop.example');
    expect(html).not.toContain('/out/7');
  });

  test('shows no expiry on a live deal’s card other than its end date', () => {
    const text = textOf(card({ expires_at: new Date('2026-11-23T13:00:00Z') }));
    expect(text).toContain('Ends in 2 days · Nov 23, 2026');
    expect(text).not.toMatch(/expired/i);
    expect(textOf(card())).not.toContain('Ends');
  });

  test('highlights an end within a day on a card, but not a later one', () => {
    expect(card({ expires_at: new Date('2026-11-22T11:00:00Z') })).toContain('data-soon="true"');
    expect(card({ expires_at: new Date('2026-11-22T13:00:00Z') })).not.toContain('data-soon');
  });

  test.each([
    ['New', { status: 'new', condition: null }],
    ['Used', { status: 'used', condition: null }],
    ['Like new', { status: 'used', condition: 'like_new' }],
    ['Very good', { status: 'used', condition: 'very_good' }],
    ['Good', { status: 'used', condition: 'good' }],
    ['Acceptable', { status: 'used', condition: 'acceptable' }],
    ['Refurbished', { status: 'used', condition: 'refurbished' }],
    ['New', { status: 'new', condition: 'good' }],
  ] as const)('shows the chip %s on a card for %j', (chip, facts) => {
    expect(textOf(card(facts))).toContain(`Lamp House ${chip} Third party`);
  });

  test('distinguishes Amazon from third parties in its seller chip', () => {
    expect(textOf(card({ seller_type: 'amazon' }))).toContain('New Amazon Desk lamp');
  });

  test('outlines a condition and a seller as a chip only if they are unusual', () => {
    expect(styles.chip).toMatch(/\w/);
    const chips = (facts: Partial<CardDeal>) =>
      [...card(facts).matchAll(/<span class="([^"]*)">([^<]*)<\/span>/g)]
        .filter(([, classes = '']) => classes.split(' ').includes(styles.chip ?? ''))
        .map(([, , text]) => text);
    expect(chips({ status: 'new', seller_type: 'amazon' })).toEqual([]);
    expect(chips({ status: 'new', seller_type: 'third_party' })).toEqual(['Third party']);
    expect(chips({ status: 'used', seller_type: 'amazon' })).toEqual(['Used']);
    expect(card({ seller_type: 'amazon' })).toContain('<span>New</span><span>Amazon</span>');
  });

  test('shows a badge on a card only where it applies', () => {
    expect(textOf(card())).not.toContain('Featured');
    expect(textOf(card({ is_featured: true }))).toContain('Featured');
    const discount = { percent: 25, isUnchecked: false };
    expect(textOf(card({}, { discount }))).toContain('Discount −25%');
    const unchecked = card({}, { discount: { ...discount, isUnchecked: true } });
    expect(textOf(unchecked)).toContain('Store says −25%');
    expect(unchecked).toContain('data-unchecked');
    expect(textOf(card())).not.toContain('%');
  });

  test('links a card to its product if several stores have it', () => {
    const stores = { slug: 'desk-lamp-4006381333931', text: '4 stores from $79.99 plus shipping' };
    const html = card({ stores });
    expect(textOf(html)).toContain('the price 4 stores from $79.99 plus shipping');
    expect(html).toContain('href="/products/desk-lamp-4006381333931"');
    expect(card()).not.toContain('/products/');
  });

  test('labels the copy button of a card with its coupon', () => {
    const html = card({ coupon_code: 'LAMP10' });
    expect(html).toContain('<code>LAMP10</code>');
    expect(html).toContain('aria-label="Copy coupon code LAMP10"');
    expect(card()).not.toContain('<code>');
  });

  test('omits the description from a compact card', () => {
    const text = textOf(card({}, { variant: 'compact' }));
    expect(text).not.toContain('Bright and quiet.');
    expect(text).toContain('Desk lamp');
    expect(textOf(card({}, { variant: 'featured' }))).toContain('Bright and quiet.');
  });

  test('uses the required heading level on a card', () => {
    expect(tagsOf(card(), 'h3')).toHaveLength(1);
    expect(tagsOf(card({}, { headingLevel: 2 }), 'h2')).toHaveLength(1);
  });

  test('shows buttons on a card’s picture for signed-in users only', () => {
    expect(textOf(card({}, { actions: 'heart and bell' }))).toContain('heart and bell');
    expect(textOf(card())).not.toContain('heart and bell');
  });

  test('shows a merchant’s text on a card as text, never as markup', () => {
    const html = card({ title: '<img src=x onerror=alert(1)>', coupon_code: '"><b>' });
    expect(html).not.toContain('<img src=x');
    expect(html).not.toContain('"><b>');
    expect(textOf(html)).toContain('<img src=x onerror=alert(1)>');
  });
});

describe('a card’s picture', () => {
  test('loads a card’s picture lazily, without a referrer, and with an empty alt text', () => {
    const [image] = tagsOf(card({ picture: 'https://shop.example/lamp.jpg' }), 'img');
    expect(image).toContain('src="https://shop.example/lamp.jpg"');
    expect(image).toContain('loading="lazy"');
    expect(image).toContain('alt=""');
    expect(image).toMatch(/referrerpolicy="no-referrer"/i);
    expect(image).not.toMatch(/srcset/i);
  });

  test('loads pictures of the first row at once, the very first with priority', () => {
    const picture = 'https://shop.example/lamp.jpg';
    const [eager] = tagsOf(card({ picture }, { isEager: true }), 'img');
    expect(eager).toContain('loading="eager"');
    expect(eager).not.toMatch(/fetchpriority/i);
    const [first] = tagsOf(card({ picture }, { isEager: true, isFirst: true }), 'img');
    expect(first).toMatch(/fetchpriority="high"/i);
  });

  test.each(['webp', 'avif'])('offers a card’s picture in two widths when stored as %s', (kind) => {
    const [image] = tagsOf(card({ picture: `/media/lamp-640.${kind}` }), 'img');
    expect(image).toContain(`/media/lamp-320.${kind} 320w, /media/lamp-640.${kind} 640w`);
    expect(image).toContain('sizes=');
  });

  test.each([
    'https://shop.example/media/lamp-640.webp',
    '/media/lamp.webp',
    '/media/lamp-640.png',
  ])('offers a card’s picture in one width for %s', (picture) => {
    expect(tagsOf(card({ picture }), 'img')[0]).not.toMatch(/srcset/i);
  });

  test('shows a placeholder on a card without a picture', () => {
    const html = card();
    expect(tagsOf(html, 'img')).toEqual([]);
    expect(html).toContain('<svg');
  });
});

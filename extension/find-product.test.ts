// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProduct } from './find-product.ts';
import { readPage } from './read-page.ts';

const gtin = '4006381333931';
const lamp = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Arched desk lamp',
  gtin13: gtin,
  offers: { '@type': 'Offer', price: '45.00', priceCurrency: 'USD' },
};
const found = { title: 'Arched desk lamp', gtin, price: { amount: 4500, currency: 'USD' } };

beforeEach(() => {
  document.head.innerHTML = '';
  document.body.innerHTML = '';
});
afterEach(() => {
  document.body.innerHTML = '';
});

function addScript(content: unknown): void {
  const script = document.createElement('script');
  script.type = 'application/ld+json';
  script.textContent = typeof content === 'string' ? content : JSON.stringify(content);
  document.head.append(script);
}

const find = () => findProduct(readPage());

test.each([
  ['an object', lamp],
  ['an array', [{ '@type': 'WebSite' }, lamp]],
  ['a graph', { '@graph': [{ '@type': 'Organization', name: 'Shop' }, lamp] }],
  ['a page', { '@type': 'WebPage', mainEntity: lamp }],
  ['a full type', { ...lamp, '@type': ['https://schema.org/Product', 'Car'] }],
  ['several offers', { ...lamp, offers: [lamp.offers, { price: 1, priceCurrency: 'USD' }] }],
  ['a lowest price', { ...lamp, offers: { lowPrice: 45, priceCurrency: 'usd' } }],
  [
    'a price specification',
    { ...lamp, offers: { priceSpecification: [{ price: 45, priceCurrency: 'USD' }] } },
  ],
  ['many decimals', { ...lamp, offers: { price: '45.000000', priceCurrency: 'USD' } }],
  ['a GTIN with hyphens', { ...lamp, gtin13: undefined, productID: 'ean:400-6381-333931' }],
  ['a GTIN of the offer', { ...lamp, gtin13: '12', offers: { ...lamp.offers, gtin: gtin } }],
])('reads JSON-LD with %s', (_, content) => {
  addScript('{ not JSON');
  addScript(content);
  expect(find()).toEqual(found);
});

test('reads the product’s microdata, but not that of its brand, reviews or other products', () => {
  document.body.innerHTML = `
    <div itemscope itemtype="https://schema.org/Product">
      <span itemprop="brand" itemscope itemtype="https://schema.org/Brand"><b itemprop="name">Lux</b></span>
      <h1 itemprop="name"> Arched
        desk lamp </h1><meta itemprop="gtin13" content="${gtin}">
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
        <b itemprop="price" content="45.00">45 dollars</b><meta itemprop="priceCurrency" content="USD">
      </div>
    </div>
    <div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Chair</b></div>`;
  expect(find()).toEqual(found);
});

test('reads product and Open Graph `<meta>` elements', () => {
  document.head.innerHTML = `
    <meta property="og:type" content="product"><meta property="og:title" content="Arched desk lamp">
    <meta property="product:price:amount" content="45.00"><meta property="product:price:currency" content="USD">
    <meta property="product:ean" content="${gtin}">`;
  expect(find()).toEqual(found);
});

test('completes JSON-LD from microdata and `<meta>` elements', () => {
  addScript({ '@type': 'Product', name: 'Arched desk lamp' });
  document.body.innerHTML = `
    <div itemscope itemtype="http://schema.org/Product"><meta itemprop="gtin" content="${gtin}"></div>
    <meta property="og:price:amount" content="45"><meta property="og:price:currency" content="USD">`;
  expect(find()).toEqual(found);
});

test.each([
  ['no data', ''],
  ['an article', { '@type': 'Article', name: 'News' }],
  ['a list of products', { '@type': 'ItemList', itemListElement: [lamp, lamp] }],
  ['related products only', { '@type': 'WebPage', isRelatedTo: lamp }],
  ['a product without name and GTIN', { '@type': 'Product', offers: lamp.offers }],
])('finds no product on a page with %s', (_, content) => {
  addScript(content);
  expect(find()).toBeNull();
});

test.each([
  ['no currency', { price: '45.00' }],
  ['a currency that is none', { price: '45.00', priceCurrency: '$' }],
  ['a negative price', { price: -45, priceCurrency: 'USD' }],
  ['a huge price', { price: 1e300, priceCurrency: 'USD' }],
  ['an object as price', { price: { toString: 1 }, priceCurrency: 'USD' }],
  ['a price of two readings', { price: '1.249', priceCurrency: 'USD' }],
  ['an infinite price', { price: '1e999', priceCurrency: 'USD' }],
])('does not read a price from an offer with %s', (_, offers) => {
  addScript({ ...lamp, offers });
  expect(find()).toEqual({ ...found, price: null });
});

test('returns hostile values as short plain texts', () => {
  const title = `</script><img src=x onerror=alert(1)>${'\n'.repeat(400)}${'x'.repeat(100_000)}`;
  addScript({ ...lamp, name: title, gtin13: { length: 13 } });
  const product = find();
  expect(product?.title).toMatch(/^<\/script><img src=x onerror=alert\(1\)>/);
  expect(product?.title.length).toBeLessThanOrEqual(300);
  expect(product?.gtin).toBeNull();
});

test('removes direction marks and control characters from a title', () => {
  addScript({ ...lamp, name: 'Arched\u202E \u0000desk\u2066\u200F lamp\u0007' });
  expect(find()).toEqual(found);
});

test('reads keys such as `__proto__` like any other', () => {
  addScript(`{"__proto__": ${JSON.stringify(lamp)}, "constructor": {"prototype": {"gtin": 1}}}`);
  expect(find()).toEqual(found);
  expect({}).not.toHaveProperty('gtin');
});

test.each([
  ['1.299,00 €', 'EUR', 129_900],
  ['1 299,00', 'SEK', 129_900],
  ["CHF 1'299.00", 'CHF', 129_900],
  ['￥1,299', 'JPY', 1_299],
  ['12.345', 'VND', 12_345],
  ['1.299', 'KWD', 1_299],
  ["CHF 1'299.–", 'CHF', null],
  ['1,29,999', 'INR', null],
  ['1.299', 'EUR', null],
  ['1,299', 'KWD', null],
  ['45 – 60', 'USD', null],
  ['٤٥', 'SAR', null],
])('reads the price %s in %s as %s', (price, priceCurrency, amount) => {
  addScript({ ...lamp, offers: { price, priceCurrency } });
  expect(find()?.price).toEqual(amount === null ? null : { amount, currency: priceCurrency });
});

test('returns the URL that the page has when it is read', () => {
  expect(readPage().address).toBe(location.href);
});

test('reads a page whose form fields shadow DOM methods', () => {
  document.body.innerHTML = `
    <form name="querySelectorAll" itemscope itemtype="https://schema.org/Product">
      <input name="getAttribute"><input name="closest"><input name="querySelectorAll">
      <b itemprop="name">Arched desk lamp</b><meta itemprop="gtin13" content="${gtin}">
    </form>`;
  Object.defineProperty(document, 'querySelectorAll', { value: null, configurable: true });
  const product = find();
  Reflect.deleteProperty(document, 'querySelectorAll');
  expect(product).toEqual({ ...found, price: null });
});

test('reads the first megabyte of JSON-LD, and skips everything after the second', () => {
  const filling = Array.from({ length: 15_000 }, (_, id) => ({ id, text: 'x'.repeat(50) }));
  addScript({ '@graph': [...filling, lamp] });
  expect(find()).toEqual(found);
  document.head.innerHTML = '';
  addScript(`"${'x'.repeat(2_000_001)}"`);
  addScript(lamp);
  expect(find()).toBeNull();
});

test('reads deeply nested JSON-LD without exhausting the stack', () => {
  const depth = 100_000;
  addScript(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  addScript(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
  addScript(lamp);
  expect(find()).toEqual(found);
});

test('changes nothing on the page', () => {
  addScript(lamp);
  document.body.innerHTML = '<div itemscope itemtype="https://schema.org/Product"></div>';
  const before = document.documentElement.outerHTML;
  find();
  expect(document.documentElement.outerHTML).toBe(before);
});

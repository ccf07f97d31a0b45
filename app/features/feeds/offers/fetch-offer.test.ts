import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchOffer } from './fetch-offer.server.ts';
import { readPageOffer } from './read-page-offer.ts';

const address = 'https://shop.example/p/1';
const read = (html: string) => readPageOffer(html, address, 'USD');
const jsonLd = (value: unknown) =>
  `<html><head><script type="application/ld+json">${JSON.stringify(value)}</script></head></html>`;

describe('a product page', () => {
  test('reads a product page from JSON-LD at any depth', () => {
    const product = {
      '@type': 'Product',
      name: 'Stand &amp; Mixer',
      image: ['/a.jpg', '/b.jpg'],
      brand: { '@type': 'Brand', name: 'Acme' },
      gtin13: '4006381333931',
      offers: {
        '@type': 'Offer',
        price: 199.5,
        priceCurrency: 'usd',
        availability: 'https://schema.org/InStock',
      },
    };
    const expected = {
      title: 'Stand & Mixer',
      image_url: 'https://shop.example/a.jpg',
      sale_price: 19_950,
      currency: 'USD',
      availability: 'in_stock',
      gtin: '4006381333931',
      brand: 'Acme',
    };
    expect(read(jsonLd(product))).toEqual(expected);
    expect(read(jsonLd({ '@graph': [{ '@type': 'WebPage' }, product] }))).toEqual(expected);
    expect(read(jsonLd({ ...product, image: 'http://shop.example/a.jpg' }))).toEqual(expected);
    expect(read(jsonLd([{ '@type': 'WebPage', mainEntity: product }]))).toEqual(expected);
    expect(read(jsonLd({ ...product, '@type': ['Thing', 'http://schema.org/Product'] }))).toEqual(
      expected,
    );
  });

  test('reads a page’s current price instead of its list price, and the lowest of several offers', () => {
    const withOffers = (offers: unknown) =>
      read(jsonLd({ '@type': 'Product', name: 'x', offers })).sale_price;
    expect(
      withOffers([
        {
          priceSpecification: [
            { priceType: 'https://schema.org/ListPrice', price: '300', priceCurrency: 'USD' },
            { price: '250.00', priceCurrency: 'USD' },
          ],
        },
      ]),
    ).toBe(25_000);
    expect(withOffers({ '@type': 'AggregateOffer', lowPrice: '1,299.00', highPrice: '1500' })).toBe(
      129_900,
    );
    expect(withOffers({ price: 'ask us' })).toBeNull();
  });

  test('reads a product page from microdata, but ignores the name of a review', () => {
    const html = `<div itemscope itemtype="https://schema.org/Product">
      <div itemprop="review" itemscope itemtype="https://schema.org/Review"><b itemprop="name">Great!</b></div>
      <h1 itemprop="name">Stand <b>Mixer</b></h1><img itemprop="image" src="//cdn.example/m.png">
      <p itemprop="brand" itemscope itemtype="https://schema.org/Brand"><span itemprop="name">Acme</span></p>
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR">
      <span itemprop="price" content="89.90">89,90 €</span><link itemprop="availability" href="http://schema.org/SoldOut"></div></div>
      <span itemprop="name">Footer</span>`;
    expect(read(html)).toEqual({
      title: 'Stand Mixer',
      image_url: 'https://cdn.example/m.png',
      sale_price: 8_990,
      currency: 'EUR',
      availability: 'out_of_stock',
      gtin: null,
      brand: 'Acme',
    });
  });

  test('reads a product page from Open Graph, or else from the title', () => {
    const graph = `<title>Shop</title><base href="https://cdn.example/x/"><meta property="og:title" content="Mixer">
      <meta property="og:image" content="m.png"><meta property="product:price:amount" content="12.00">
      <meta property="product:price:currency" content="GBP"><meta property="product:availability" content="in stock">`;
    expect(read(graph)).toMatchObject({
      title: 'Mixer',
      image_url: 'https://cdn.example/x/m.png',
      sale_price: 1_200,
      currency: 'GBP',
      availability: 'in_stock',
    });
    expect(read('<title> Only\n a title </title>')).toMatchObject({
      title: 'Only a title',
      sale_price: null,
    });
  });

  test('never combines the price of one source with the currency of another', () => {
    const html = `${jsonLd({ '@type': 'Product', name: 'x', offers: { price: '10' } })}
      <meta property="product:price:amount" content="9"><meta property="product:price:currency" content="EUR">`;
    expect(read(html)).toMatchObject({ sale_price: 1_000, currency: null });
  });

  test('returns nothing for a broken, hostile or endless product page', () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    for (const html of [
      '',
      '<script type="application/ld+json">{"a":',
      jsonLd('x'),
      `<script type="application/ld+json">${deep}</script>`,
    ]) {
      expect(read(html)).toMatchObject({ title: null, sale_price: null });
    }
    expect(
      read(
        jsonLd({
          '@type': 'Product',
          name: 'x',
          image: 'javascript:alert(1)',
          offers: { price: -5 },
        }),
      ),
    ).toMatchObject({ image_url: null, sale_price: null });
  });
});

// Proves Design: Fetch from URL
describe('R29: fetching a page', () => {
  let server: Server;
  let base = '';
  const pages: Record<
    string,
    { type: string; body: string | Buffer; status?: number; encoding?: string }
  > = {
    '/usd': {
      type: 'text/html; charset=iso-8859-1',
      body: Buffer.from(
        jsonLd({ '@type': 'Product', name: 'Café', offers: { price: 5, priceCurrency: 'USD' } }),
        'latin1',
      ),
    },
    '/eur': {
      type: 'text/html',
      body: jsonLd({ '@type': 'Product', name: 'x', offers: { price: 5, priceCurrency: 'EUR' } }),
    },
    '/empty': { type: 'text/html', body: '<p>Hello</p>' },
    '/pdf': { type: 'application/pdf', body: 'x' },
    '/gone': { type: 'text/html', body: 'x', status: 404 },
    '/bomb': { type: 'text/html', body: gzipSync(Buffer.alloc(4 * 1024 * 1024)), encoding: 'gzip' },
    '/large': { type: 'text/html', body: randomBytes(4 * 1024 * 1024) },
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      const page = pages[request.url ?? ''];
      response.writeHead(page?.status ?? 200, {
        'content-type': page?.type ?? 'text/html',
        ...(page?.encoding && { 'content-encoding': page.encoding }),
      });
      response.end(page?.body);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  const fetchFrom = (path: string) => fetchOffer(`${base}${path}`, 'USD', { allowPrivate: true });

  test('fills in the values of a fetched page in the page’s own encoding', async () => {
    expect(await fetchFrom('/usd')).toMatchObject({
      ok: true,
      offer: { title: 'Café', sale_price: 500 },
      host: new URL(base).host,
      note: null,
    });
  });

  test('omits a fetched price in another currency, with a note', async () => {
    expect(await fetchFrom('/eur')).toMatchObject({
      ok: true,
      offer: { title: 'x', sale_price: null },
      note: 'Its price is in EUR, but this site uses USD, so the price was left out.',
    });
  });

  test('has a message for every failure to fetch a page', async () => {
    const failures = {
      '/empty': 'The page has no title, picture or price that we can read.',
      '/pdf': 'That address is not a web page but application/pdf.',
      '/gone': 'responded with status 404',
      '/bomb': 'the response unpacks to more than 100 times its size, as an attack would',
      '/large': 'the response is larger than 3 MB',
    };
    for (const [path, words] of Object.entries(failures)) {
      const fetched = await fetchFrom(path);
      expect(fetched).toMatchObject({ ok: false, message: expect.stringContaining(words) });
    }
    expect(await fetchOffer('shop', 'USD')).toEqual({ ok: false, message: 'Must be a valid URL' });
  });

  test('R29: does not request a page inside the private network', async () => {
    expect(await fetchOffer('http://127.0.0.1/', 'USD')).toEqual({
      ok: false,
      message: 'The page could not be read: 127.0.0.1 is not an address of the public internet.',
    });
  });
});

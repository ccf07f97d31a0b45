import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { currentShop, useOwnShop } from './current-shop.ts';
import { type Popup, useExtension } from './extension-browser.ts';
import { fetchOnce } from './fetch-once.ts';

const limits = ['page', 'search', 'search-burst', 'share-picture', 'price-check'];
useOwnShop(() => ({ RATE_LIMITS: limits.map((name) => `${name}=0`).join(',') }));

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);
const unknown = 'We don’t know this one yet';
const noProduct = 'We found no product on this page, and sent nothing.';

/** Bodies of the store's pages by path. Other paths have no product. */
const bodies = new Map<string, string>();
const browser = useExtension((address, response) => {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'set-cookie': 'cart=5; Path=/',
  });
  const body = bodies.get(address.pathname) ?? '<p>About this store</p>';
  response.end(
    `<!doctype html><title>Store</title>${body}<script>localStorage.setItem('seen', '1')</script>`,
  );
});
const { requests } = browser;

const scriptOf = (product: object) =>
  `<script type="application/ld+json">${JSON.stringify(product).replaceAll('</', '<\\/')}</script>`;
const productOf = (name: string, price: string) => ({
  '@type': 'Product',
  name,
  offers: { price, priceCurrency: 'USD' },
});
interface ListedDeal {
  price: unknown;
  product: unknown;
}
const askedOfSite = () => requests.filter((one) => one.startsWith(currentShop().origin));

beforeEach(() => {
  requests.length = 0;
});

/** A live deal of the demo shop, and its URL with http, which the fake store serves. */
async function aDeal(isWanted = (one: ListedDeal) => one.price !== null) {
  const answer = await fetchOnce(`${currentShop().origin}/api/v1/deals`);
  const { data } = JSON.parse(await answer.text());
  const deal = data.find(isWanted);
  const out = await fetchOnce(deal.out_url, { redirect: 'manual' });
  const link = new URL(out.headers.get('location') ?? '');
  link.protocol = 'http:';
  return { deal, link };
}

async function agree(popup: Popup): Promise<void> {
  await expect
    .poll(() => popup.evaluate("document.querySelector('#answer')?.childElementCount ?? 0"))
    .toBeGreaterThan(0);
  if ((await popup.text()).includes('Check this page')) await popup.press('Check this page');
}

const stateOf = (page: Page) =>
  page.evaluate(() => [
    document.documentElement.outerHTML,
    document.cookie,
    JSON.stringify(localStorage),
  ]);

it('sends and stores nothing while a user browses', async () => {
  bodies.set('/p/lamp', scriptOf(productOf('Arched desk lamp', '45')));
  const page = await browser.open('http://store.example/p/lamp');
  for (let at = 1; at < 20; at++) await page.goto(`http://store-${at}.example/p/lamp`);
  expect(requests.filter((one) => !/^http:\/\/store(?:-\d+)?\.example\//.test(one))).toEqual([]);
  const popup = await browser.press(page);
  expect(await popup.waitFor('and nothing else')).toContain('They are not stored.');
  expect(await popup.evaluate('chrome.storage.local.get(null)')).toEqual({});
  expect(askedOfSite()).toEqual([]);
  await popup.close();
});

it('explains the extension once, and shows the sentences from the API', async () => {
  const { deal, link } = await aDeal();
  bodies.set(link.pathname, scriptOf(productOf(deal.title, '9999.50')));
  const page = await browser.open(link.href);
  const before = await stateOf(page);
  const popup = await browser.press(page);
  await popup.waitFor('Check this page');
  // Uses the keyboard only.
  for (const key of ['Tab', 'Enter']) {
    const text = key === 'Enter' ? '\r' : undefined;
    await popup.send('Input.dispatchKeyEvent', {
      type: 'keyDown',
      key,
      code: key,
      text,
      windowsVirtualKeyCode: key === 'Tab' ? 9 : 13,
    });
    await popup.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key });
  }
  const shown = await popup.waitFor('Open the deal');

  const [address = ''] = askedOfSite();
  expect(askedOfSite()).toHaveLength(1);
  const told = JSON.parse(await (await fetchOnce(address)).text());
  expect(told).toMatchObject({ matched_by: 'link', deal: { id: deal.id } });
  for (const sentence of [told.asked.verdict, told.asked.compared, told.matched_text]) {
    expect(shown).toContain(sentence);
  }
  expect(shown).toContain(`${deal.title}\n`);
  expect(shown).toContain('On this page: $9,999.50');
  expect(await popup.evaluate('chrome.storage.local.get(null)')).toEqual({ agreed: true });

  const opened = browser.context().waitForEvent('page');
  await popup.press('Open the deal');
  const dealPage = await opened;
  await dealPage.getByRole('heading', { level: 1, name: deal.title }).waitFor();
  expect(dealPage.url()).toBe(deal.url);
  await dealPage.close();
  expect(await stateOf(page)).toEqual(before);
  expect(requests.some((one) => /\/out\//.test(one))).toBe(false);

  const again = await browser.press(page);
  expect(await again.waitFor('Set alert')).not.toContain('Check this page');
  const compared = browser.context().waitForEvent('page');
  await again.press('Compare on Deal Hub');
  const checkPage = await compared;
  await checkPage.getByRole('heading', { name: 'Your price' }).waitFor();
  await checkPage.close();
});

it('opens the page with the other stores of a product', async () => {
  const { deal, link } = await aDeal((one) => one.product !== null);
  bodies.set(link.pathname, scriptOf(productOf(deal.title, '45')));
  const popup = await browser.press(await browser.open(link.href));
  await agree(popup);
  await popup.waitFor(deal.product.text);
  const opened = browser.context().waitForEvent('page');
  await popup.press(deal.product.text);
  const productPage = await opened;
  await productPage.getByRole('heading', { level: 1 }).waitFor();
  expect(new URL(productPage.url()).pathname).toBe(`/products/${deal.product.slug}`);
  await productPage.close();
});

it('offers to request an unknown product, which it reads from microdata', async () => {
  bodies.set(
    '/p/zorkmid',
    `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Zorkmid of Frobozz</h1>
     <link rel="canonical" href="/p/zorkmid?id=7&token=secret"></div>`,
  );
  const page = await browser.open('http://store.example/p/zorkmid?email=ann@home.example');
  const popup = await browser.press(page);
  await agree(popup);
  expect(await popup.waitFor(unknown)).toContain('Zorkmid of Frobozz');
  expect(askedOfSite()).toHaveLength(1);
  expect(Object.fromEntries(new URL(askedOfSite()[0]!).searchParams)).toEqual({
    url: 'http://store.example/p/zorkmid?id=7',
    title: 'Zorkmid of Frobozz',
  });
  const opened = browser.context().waitForEvent('page');
  await popup.press('Ask us to add it');
  const checkPage = await opened;
  await checkPage.getByRole('button', { name: 'Ask us to add it' }).waitFor();
  await checkPage.close();
});

it('sends nothing from pages without a product or from browser pages', async () => {
  const page = await browser.open('http://store.example/about');
  const popup = await browser.press(page);
  await agree(popup);
  await popup.waitFor(noProduct);
  await popup.close();
  await page.goto('chrome://version/');
  const other = await browser.press(page);
  await other.waitFor('Your browser doesn’t let extensions read this page.');
  await other.close();
  await page.goto('http://127.0.0.1/p/lamp');
  const own = await browser.press(page);
  await own.waitFor('Only web pages of stores can be checked.');
  await own.close();
  expect(askedOfSite()).toEqual([]);
});

it('shows a hostile page’s markup as plain text', async () => {
  const name = '</script><img src=http://thief.example/x onerror=attack><b>Zorkmid</b>';
  bodies.set(
    '/p/hostile',
    `<form name="querySelectorAll"><input name="getAttribute"></form>
     <script type="application/ld+json">${'[['.repeat(50_000)}</script>
     <script type="application/ld+json">"${'x'.repeat(1_000_000)}"</script>
     ${scriptOf({ ...productOf(name, '1e99'), url: 'http://thief.example/' })}
     <link rel="canonical" href="http://thief.example/p">`,
  );
  const page = await browser.open('http://store.example/p/hostile');
  const popup = await browser.press(page);
  await agree(popup);
  const shown = await popup.waitFor(unknown);
  expect(shown).toContain(name);
  expect(await popup.evaluate('document.images.length')).toBe(0);
  expect(new URL(askedOfSite()[0]!).searchParams.get('url')).toBe(page.url());
  expect(requests.filter((one) => one.includes('//thief.example'))).toEqual([]);
  await popup.close();
});

it('passes axe in both themes, and does not scroll sideways', async () => {
  const { deal, link } = await aDeal();
  bodies.set(link.pathname, scriptOf(productOf(deal.title, '12')));
  const popup = await browser.press(await browser.open(link.href));
  await agree(popup);
  await popup.waitFor('Open the deal');
  await popup.send('Emulation.setDeviceMetricsOverride', {
    width: 320,
    height: 600,
    deviceScaleFactor: 1,
    mobile: false,
  });
  await popup.evaluate(axeSource);
  for (const value of ['light', 'dark']) {
    await popup.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value }],
    });
    expect(await popup.evaluate(`matchMedia('(prefers-color-scheme: ${value})').matches`)).toBe(
      true,
    );
    const violations = await popup.evaluate(
      `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })
         .then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
    );
    expect(violations, value).toEqual([]);
  }
  // Chromium widens a popup whose content is higher than its window.
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await popup.evaluate(overflow)).toBe(0);
  await popup.close();
});

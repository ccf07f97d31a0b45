import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OldItem, oldSite, wordpressExport } from '#test/fixtures/wordpress-export.ts';
import { Hand } from './count-presses.ts';
import { emptyShop, useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { fetchOnce } from './fetch-once.ts';
import { useBrowser } from './open-browser.ts';
import { withShopDatabase } from './open-staff-session.ts';
import { waitForText } from './wait-for-text.ts';

// Tests a new owner's move from WordPress: from the printed link to a site with its own look,
// deals, subscribers, posts and URLs. Each step depends on the earlier ones.

const shop = useOwnShop(() => ({ ...emptyShop(), FEED_PRIVATE_HOSTS: '127.0.0.1' }));
const browser = useBrowser({ showsPictures: true });
let page: Page;
let hand: Hand;
let complaints: string[];

/** Serves the old site's pictures from the owner's own network. */
let oldServer: Server;
let oldPictures = '';

beforeAll(async () => {
  const { photo, chart } = await pictures();
  const files: Record<string, [type: string, content: Buffer]> = {
    '/rakes.jpg': ['image/jpeg', photo],
    '/spades.png': ['image/png', chart],
    '/hoes.jpg': ['image/jpeg', await sharp(photo).flop().jpeg().toBuffer()],
  };
  oldServer = createServer((request, response) => {
    const [type, content] = files[request.url ?? ''] ?? [];
    if (type) response.writeHead(200, { 'content-type': type }).end(content);
    else response.writeHead(404).end();
  });
  oldServer.listen(0, '127.0.0.1');
  await once(oldServer, 'listening');
  oldPictures = `http://127.0.0.1:${(oldServer.address() as AddressInfo).port}`;
  ({ page, complaints } = await browser.visit({ reducedMotion: 'reduce' }));
  hand = new Hand(page);
});
afterAll(() => void oldServer.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true }).first();
const field = (name: string) => page.getByLabel(name, { exact: true });
const said = (text: string | RegExp) => waitForText(page, text);

const drawing = (name: string, width: number, height: number, mark: string) => ({
  name: `${name}.svg`,
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" rx="20" fill="#7c2d12"/>${mark}</svg>`,
  ),
});
const icon = () =>
  sharp(drawing('icon', 256, 256, '<circle cx="128" cy="128" r="70" fill="#fed7aa"/>').buffer)
    .png()
    .toBuffer();

async function pictures() {
  const scene = (mark: string) =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="640"><rect width="100%" height="100%" fill="#dbeafe"/><path d="M0 460 Q480 380 960 460 V640 H0Z" fill="#4d7c0f"/>${mark}</svg>`,
      ),
    );
  return {
    photo: await scene('<circle cx="180" cy="160" r="70" fill="#fbbf24"/>').jpeg().toBuffer(),
    chart: await scene('<path d="M480 120 V460" stroke="#78350f" stroke-width="40"/>')
      .png()
      .toBuffer(),
  };
}

const deals = 300;
function feed(): Buffer {
  const rows = Array.from({ length: deals }, (_, n) => {
    const price = 15 + (n % 40);
    return `d${n},"Barn tool ${n}, oiled",https://tools.example/${n},${price * 2}.00,${price}.00,Garden > Tools ${n % 5}`;
  });
  return Buffer.from(`id,title,link,price,sale price,product type\n${rows.join('\n')}\n`);
}

const subscribers = 500;
const gone = 20;
function list(): Buffer {
  const rows = Array.from({ length: subscribers + gone }, (_, n) =>
    n < subscribers
      ? `reader${n}@mail.example,subscribed,2024-05-06 07:08:09,`
      : `gone${n}@mail.example,unsubscribed,2024-05-06 07:08:09,2025-01-02 03:04:05`,
  );
  return Buffer.from(`Email,Global status,Subscribed at,Unsubscribed at\n${rows.join('\n')}\n`);
}

/** Posts with a picture: two in the text, and one as the featured image. */
function oldPosts(): OldItem[] {
  const picture = (file: string) =>
    `<img src="${oldPictures}/${file}" width="960" height="640" alt="A field">`;
  const posts = [
    { title: 'Rakes', shown: picture('rakes.jpg') },
    { title: 'Spades', shown: '', thumbnail: 90 },
    { title: 'Hoes', shown: picture('hoes.jpg') },
  ];
  return [
    ...posts.map(({ title, shown, ...others }, n) => ({
      id: n + 10,
      title: `${title} of the year`,
      slug: title.toLowerCase(),
      content: `<p>We dug with ${title.toLowerCase()}. See <a href="${oldSite}/2024/03/rakes/">rakes</a>.</p>${shown}`,
      ...others,
    })),
    { id: 90, type: 'attachment', attachment: `${oldPictures}/spades.png`, alt: 'A spade' },
  ];
}
const oldPage = {
  title: 'Our barn',
  slug: 'our-barn',
  type: 'page',
  link: `${oldSite}/about-us/our-barn/`,
};

test('creates the account, and gives the site its name and look', async () => {
  await page.goto(shop().setupLink ?? '');
  await hand.fill(field('Full Name'), 'Olivia Owner');
  await hand.fill(field('Email'), 'owner@barn.example');
  await hand.fill(field('Password'), 'three-brown-cows-42');
  await hand.click(button('Create account'));
  await said('Step 2 of 5');
  await hand.fill(field('Site name'), 'Bargain Barn');
  await hand.choose(field('Currency'), 'EUR');
  await hand.click(button('Save and continue'));
  await said('Step 3 of 5');
  const words =
    '<text x="300" y="105" font-size="80" text-anchor="middle" fill="#fff">Bargain Barn</text>';
  await hand.give(field('Logo'), drawing('logo', 600, 160, words));
  const buffer = await icon();
  await hand.give(field('Icon'), { name: 'icon.png', mimeType: 'image/png', buffer });
  await hand.fill(field('Accent color'), '#b45309');
  await hand.click(button('Save and continue'));
  await said('Step 4 of 5');
  await hand.click(link('Skip'));
  await said('Step 5 of 5');
  await hand.click(button('Finish'));
  await page.getByRole('heading', { name: /^Getting started: \d of 5 done$/ }).waitFor();
});

test('imports 300 deals', async () => {
  await hand.click(link('Imports'));
  await hand.click(link('New import'));
  await hand.fill(page.locator('#upload').getByLabel('Merchant'), 'Tool Shed');
  const buffer = feed();
  await hand.give(field('Feed file'), { name: 'feed.csv', mimeType: 'text/csv', buffer });
  await hand.click(page.locator('#upload').getByRole('button', { name: 'Continue' }));
  await hand.click(button('Preview import'));
  await hand.click(button('Run the import'));
  await link('Download report').waitFor();
});

test('imports posts and a page, with redirects from their old URLs', async () => {
  await hand.click(link('Move in'));
  await hand.click(link('Posts, pages, deals and coupons'));
  const buffer = Buffer.from(wordpressExport([...oldPosts(), oldPage]));
  await hand.give(field('Export file'), { name: 'old.xml', mimeType: 'text/xml', buffer });
  await hand.click(button('Continue'));
  await said('3 posts, 1 page, 3 redirects, 0 skipped.');
  expect(await examine(page)).toEqual([]);
  await hand.click(button('Move in'));
  await said('Imported.');
  await said('3 of 3 pictures copied into the media library.');
});

test('imports 500 subscribers, and skips those who unsubscribed', async () => {
  await hand.click(link('Move in'));
  await hand.click(link('Subscribers'));
  const buffer = list();
  const file = { name: 'list.csv', mimeType: 'text/csv', buffer };
  await hand.give(field('Subscriber file'), file);
  await hand.click(button('Continue'));
  await hand.fill(field('Where these people signed up'), 'Form of the old site');
  await hand.click(button('Move in'));
  await said(/^Imported/);
  const { open, closed } = await withShopDatabase(async (db) => {
    const rows = await db.selectFrom('newsletter_subscriptions').select('is_active').execute();
    const active = rows.filter((row) => row.is_active).length;
    return { open: active, closed: rows.length - active };
  });
  expect([open, closed]).toEqual([subscribers, gone]);
});

test('writes a page, and reorders the menu', async () => {
  await hand.click(link('Pages'));
  await hand.click(link('New Page'));
  await hand.fill(field('Title'), 'Delivery');
  await hand.fill(field('Content'), '## Parcels\n\nParcels cost **€4**.');
  await hand.click(button('Save').last());
  await said('Page created.');
  await hand.click(link('Menus'));
  for (const [name, label] of [
    ['Delivery', 'Delivery'],
    ['Our barn', 'The barn'],
  ] as const) {
    await hand.choose(field('Menu'), 'Header');
    await hand.fill(field('Label'), label);
    await hand.choose(field('Page'), name);
    await hand.click(button('Add link'));
    await said(`“${label}” added.`);
  }
});

test('shows visitors the owner’s own site, and redirects old URLs to the right pages', async () => {
  const { page: visitor, complaints: ofVisitor } = await browser.visit();
  const menu = async () => {
    await visitor.goto('/');
    return visitor.locator('header nav').first().getByRole('link').allTextContents();
  };
  await expect.poll(menu).toEqual(expect.arrayContaining(['Delivery', 'The barn']));
  const head = await visitor.locator('head').innerHTML();
  expect(head).toContain('/brand/theme-b45309-');
  const logo = visitor.locator('header img').first();
  expect(await logo.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
  expect((await visitor.request.get('/favicon.ico')).url()).toMatch(/\/brand\/icon-/);
  for (const width of [390, 1280, 1920]) {
    await visitor.setViewportSize({ width, height: 900 });
    expect(await examine(visitor)).toEqual([]);
  }
  await visitor.goto('/deals');
  await visitor
    .getByText(/\b300 deals/)
    .first()
    .waitFor();

  for (const [from, to] of [
    ['/2024/03/rakes', '/blog/rakes'],
    ['/2024/03/spades/', '/blog/spades'],
    ['/2024/03/hoes/?utm_source=mail', '/blog/hoes'],
  ] as const) {
    const answer = await fetchOnce(shop().origin + from, { redirect: 'manual' });
    const lead = answer.headers.get('location') ?? '';
    expect([from, answer.status, new URL(lead, shop().origin).pathname]).toEqual([from, 301, to]);
    expect([to, (await fetchOnce(shop().origin + to)).status]).toEqual([to, 200]);
  }
  await visitor.goto('/2024/03/hoes/');
  expect(new URL(visitor.url()).pathname).toBe('/blog/hoes');
  await visitor.goto('/about-us/our-barn/');
  await visitor.getByRole('heading', { name: 'Our barn' }).waitFor();
  await visitor.goto('/blog/spades');
  expect(
    await visitor.locator('article a', { hasText: 'rakes' }).first().getAttribute('href'),
  ).toBe('/blog/rakes');
  await visitor.goto('/delivery');
  await visitor.getByText('Parcels cost €4.').waitFor();
  expect([...complaints, ...ofVisitor]).toEqual([]);
});

test('shows the pictures of imported posts from the media library', async () => {
  const { page: visitor, complaints: ofVisitor } = await browser.visit();
  const asked: string[] = [];
  visitor.on('request', (request) => void asked.push(new URL(request.url()).origin));
  for (const slug of ['rakes', 'spades', 'hoes']) {
    await visitor.goto(`/blog/${slug}`);
    const shown = visitor.getByRole('article').first().locator('img');
    await shown.first().waitFor();
    for (const picture of await shown.all()) {
      await picture.scrollIntoViewIfNeeded();
      const width = () => picture.evaluate((one: HTMLImageElement) => one.naturalWidth);
      await expect.poll(width).toBeGreaterThan(0);
      expect(await picture.evaluate((one: HTMLImageElement) => one.currentSrc)).toMatch(
        new RegExp(`^${shop().origin}/media/`),
      );
    }
    for (const width of [390, 1280]) {
      await visitor.setViewportSize({ width, height: 900 });
      expect(await examine(visitor)).toEqual([]);
    }
    expect([slug, await shown.count()]).toEqual([slug, 1]);
  }
  expect(new Set(asked)).toEqual(new Set([shop().origin]));
  expect(ofVisitor).toEqual([]);
});

test('opens the owner’s own site after at most 60 presses', () => {
  process.stdout.write(`From the link to the owner’s own site: ${hand.presses} presses.\n`);
  expect(hand.presses).toBeLessThanOrEqual(60);
});

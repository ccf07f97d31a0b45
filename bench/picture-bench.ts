import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { sql } from 'kysely';
import { type Browser, chromium } from 'playwright-core';
import sharp from 'sharp';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { type Measured, table, verdictOn } from '#bench/measure.ts';
import { connect } from '#database/connect.ts';
import { openDatabase } from '#server/open-database.ts';
import { type DemoSite, startDemoSite } from '#test/demo-site.ts';
import { startPictureStore } from '#test/picture-store.ts';

/** A script scrolls each page to the end, so that the pictures of all cards load. */
const screens = {
  'phone, 390 at 3': { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 },
  'desk, 1280 at 1': { viewport: { width: 1280, height: 900 }, deviceScaleFactor: 1 },
  'desk, 1280 at 2': { viewport: { width: 1280, height: 900 }, deviceScaleFactor: 2 },
};
type Weights = Record<string, { pictures: number; all: number }>;
const camera = { width: 4000, height: 3000 };
const list = '/deals';

/**
 * Measures the size of the list with the demo shop's own small pictures, and with copies of a
 * store's camera-sized pictures. On request, runs Lighthouse for the latter.
 */
export async function benchPictures(
  hasLighthouse: boolean,
  report: (line: string) => void,
): Promise<Measured> {
  const site = await startDemoSite();
  const browser = await openBrowser();
  const originals = new Map<string, Promise<Buffer>>();
  const store = await startPictureStore(async (address) => {
    const drawing = address.replace('/', '').replace(/\?.*/, '');
    if (!originals.has(drawing)) originals.set(drawing, photograph(site, drawing));
    return (await originals.get(drawing)) ?? null;
  });
  try {
    const before = await weighAll(browser, site);
    report('measuring the demo shop');
    const count = await moveToStore(site, store);
    report(`copying ${count} pictures of ${camera.width} × ${camera.height}`);
    const after = await weighAll(browser, site);
    const sizes = await Promise.all(originals.values());
    const heaviest = Math.max(...sizes.map((one) => one.length)) / 1_000;
    const rows = Object.entries(after).map(([screen, now]) => {
      const old = before[screen] ?? now;
      const isMet = now.all <= old.all * 1.02;
      return { screen, old, now, isMet };
    });
    const isFast = !hasLighthouse || askLighthouse(site) === 0;
    const text = `${table([
      ['kB of the list', 'pictures before', 'after', 'all before', 'after', ''],
      ...rows.map(({ screen, old, now, isMet }) => [
        screen,
        ...[old.pictures, now.pictures, old.all, now.all].map((bytes) =>
          (bytes / 1_000).toFixed(1),
        ),
        verdictOn(isMet),
      ]),
    ])}\n${count} originals, up to ${heaviest.toFixed(0)} kB each`;
    return { results: rows, text, isMet: isFast && rows.every(({ isMet }) => isMet) };
  } finally {
    await browser.close();
    store.close();
    await site.stop();
  }
}

function openBrowser(): Promise<Browser> {
  const { CHROMIUM_PATH = '/usr/bin/chromium' } = process.env;
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: CHROMIUM_PATH, args });
}

async function photograph({ origin }: DemoSite, drawing: string): Promise<Buffer> {
  const answer = await fetch(`${origin}/media/demo/${drawing}`);
  const small = Buffer.from(await answer.arrayBuffer());
  return sharp(small).resize(camera).jpeg({ quality: 95 }).toBuffer();
}

/**
 * Gives each deal a different picture. Returns how many pictures the list, the home page and a deal
 * page show.
 */
async function moveToStore(
  { origin, folder }: DemoSite,
  store: Awaited<ReturnType<typeof startPictureStore>>,
): Promise<number> {
  const env = readEnv({ DATA_DIR: folder, ORIGIN: origin });
  const database = await openDatabase(env, createLog('silent'));
  const { db, close } = connect(database.url, { maxConnections: 4 });
  try {
    await sql`
      update deals set image_url = ${store.origin} || replace(image_url, '/media/demo', '') || '?of=' || id
       where image_url like '/media/demo/%'`.execute(db);
    const read = async (address: string) => (await fetch(origin + address)).text();
    const shown = [await read('/'), await read(`${list}?sort=newest`)];
    const [deal = '/'] = /\/deals\/[a-z0-9-]+(?=")/.exec(shown[1] ?? '') ?? [];
    shown.push(await read(deal));
    const count = new Set(shown.join().match(/https:\/\/127\.0\.0\.1:\d+\/[^"]+/g)).size;
    await store.copy(db, folder, count);
    // Invalidates all cached pages.
    await sql`select pg_notify('pages', 'all')`.execute(db);
    return count;
  } finally {
    await close();
    await database.stop();
  }
}

async function weighAll(browser: Browser, site: DemoSite): Promise<Weights> {
  const weights: Weights = {};
  for (const [screen, options] of Object.entries(screens)) {
    weights[screen] = await weigh(browser, `${site.origin}${list}`, options);
  }
  return weights;
}

async function weigh(browser: Browser, address: string, options: object) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.enable');
  const pictures = new Set<string>();
  const sum = { pictures: 0, all: 0 };
  devTools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Image') pictures.add(requestId);
  });
  devTools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    sum.all += encodedDataLength;
    if (pictures.has(requestId)) sum.pictures += encodedDataLength;
  });
  await page.goto(address, { waitUntil: 'load' });
  for (const card of await page.locator('article').all()) await card.scrollIntoViewIfNeeded();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('article img')].every(
      (image) => image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0,
    ),
  );
  await page.waitForLoadState('networkidle');
  await context.close();
  return sum;
}

function askLighthouse({ origin }: DemoSite): number | null {
  const program = path.join(import.meta.dirname, 'lighthouse.mjs');
  return spawnSync(process.execPath, [program, '--origin', origin], { stdio: 'inherit' }).status;
}

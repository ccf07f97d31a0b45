import { spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Measured, table, timingOf, verdictOn } from '#bench/measure.ts';
import {
  certificate,
  type Protocol,
  protocols,
  type ShapedSite,
  shapeSite,
} from '#bench/shaping-proxy.ts';
import type { DemoSite, startDemoSite } from '#test/demo-site.ts';
import { probePage, type Sought } from '#bench/visit-probe.ts';

const rounds = 5;
const processorSlowdown = 4;
/** A phone's settings. Emulated media features would end with the old document and restyle it. */
const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  ...({ colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null } as const),
};
const untouchedMs = 5_000;
/** The duration of a tap, in milliseconds. */
const tapMs = 100;
const typed = 'he';
const cardLinks = 'article :is(h2, h3) a';

interface Figure {
  says: string;
  unit: 'kB' | 'ms' | 'yes';
  /** The limit. `before` allows 5% more than the version of `--before`. */
  most?: number | 'before';
}

const figures = {
  homeScript: { says: 'script of an untouched home page', unit: 'kB', most: 6 },
  dealScript: { says: 'script of an untouched deal page', unit: 'kB', most: 6 },
  script: { says: 'script of an untouched list', unit: 'kB', most: 6 },
  searchScript: { says: 'script of a list whose search was used', unit: 'kB', most: 85 },
  styles: { says: 'style sheets of the list', unit: 'kB', most: 20 },
  html: { says: 'HTML of the list', unit: 'kB' },
  firstPaint: { says: 'first contentful paint of the list', unit: 'ms' },
  alive: { says: 'page hydrated: the theme switch responds', unit: 'ms', most: 1_500 },
  longTasks: { says: 'long tasks, together', unit: 'ms' },
  suggestions: { says: 'first letter to suggestions', unit: 'ms', most: 'before' },
  tap: { says: 'tap on a card to the deal painted', unit: 'ms', most: 300 },
  prefetched: { says: '  requested before the finger left', unit: 'yes' },
  back: { says: 'back to the list', unit: 'ms' },
  restored: { says: "  from the browser's own memory", unit: 'yes' },
  scrollKept: { says: '  where it had been scrolled to', unit: 'yes' },
} satisfies Record<string, Figure>;

type Name = keyof typeof figures;
type Found = Partial<Record<Name, number>>;

/** A checkout's site behind a simulated connection, with the results of each round. */
interface Lane {
  site: DemoSite;
  protocol: Protocol;
  line: ShapedSite;
  found: Found[];
}

/**
 * Measures visits on a slow phone connection to the built sites of this checkout and another one,
 * in alternating rounds. The browser's cache is empty, and the server's cache is full.
 */
export async function benchVisit(
  before: string | undefined,
  report: (line: string) => void,
): Promise<Measured> {
  const lanes: Lane[] = [];
  const browser = await openBrowser();
  try {
    for (const checkout of checkouts(before)) lanes.push(...(await openLanes(checkout)));
    const tables: Table[] = [];
    for (const protocol of protocols) {
      const own = lanes.filter((lane) => lane.protocol === protocol);
      // Round 0 is a warm-up. Values that do not vary are measured only once, here.
      for (const lane of own) lane.found.push(await visitOthers(browser, lane));
      for (let round = 0; round <= rounds; round++) {
        for (const lane of own) {
          const found = await visitList(browser, lane);
          if (round > 0) lane.found.push(found);
        }
        report(`${protocol}, round ${round} of ${rounds}`);
      }
      const [after = {}, old] = own.map(({ found }) => medians(found)).toReversed();
      tables.push({ protocol, before: old, after });
    }
    const text = tables.map(describe).join('\n\n');
    return { results: tables, text, isMet: !text.includes(verdictOn(false)) };
  } finally {
    await browser.close();
    for (const { line } of lanes) await line.close();
    for (const site of new Set(lanes.map((lane) => lane.site))) await site.stop();
  }
}

/**
 * Runs Lighthouse for the same checkouts. The target is 100 points for each page, as the median of
 * five runs.
 */
export function benchLighthouse(before: string | undefined): Measured {
  const program = path.join(import.meta.dirname, 'lighthouse.mjs');
  const asked = ['--runs', String(rounds), '--performance', '100'];
  const codes = checkouts(before).map((checkout) => {
    console.log(path.resolve(checkout));
    const args = [program, '--checkout', checkout, ...asked];
    return spawnSync(process.execPath, args, { stdio: 'inherit' }).status;
  });
  const isMet = codes.at(-1) === 0;
  return { results: { isMet }, text: `A hundred points each: ${verdictOn(isMet)}`, isMet };
}

const checkouts = (before: string | undefined) =>
  [before, path.join(import.meta.dirname, '..')].filter((checkout) => checkout !== undefined);

async function openLanes(checkout: string): Promise<Lane[]> {
  const starter: { startDemoSite: typeof startDemoSite } = await import(
    pathToFileURL(path.resolve(checkout, 'test/demo-site.ts')).href
  );
  const site = await starter.startDemoSite();
  const open = async (protocol: Protocol): Promise<Lane> => {
    return { site, protocol, line: await shapeSite(site.origin, protocol), found: [] };
  };
  return Promise.all(protocols.map(open));
}

/**
 * Opens a browser that trusts our certificate and has a back/forward cache, which Playwright
 * disables by default.
 */
function openBrowser(): Promise<Browser> {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  const mark = createHash('sha256').update(key).digest('base64');
  const args = ['--disable-gpu', `--ignore-certificate-errors-spki-list=${mark}`];
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  const { CHROMIUM_PATH = '/usr/bin/chromium', WHOLE_CHROMIUM_PATH = CHROMIUM_PATH } = process.env;
  return chromium.launch({
    executablePath: WHOLE_CHROMIUM_PATH,
    args,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
}

interface Visit {
  page: Page;
  lane: Lane;
  /** Returns the gzipped bytes of all responses of this type so far. */
  weigh(type: string): Promise<number>;
  tap(x: number, y: number): Promise<void>;
}

/** Visits a page for the first time with an empty browser. */
async function visit<Result>(
  browser: Browser,
  lane: Lane,
  address: string,
  act: (visit: Visit) => Promise<Result>,
  isPressing = false,
): Promise<Result> {
  const { site, line } = lane;
  await fetch(site.origin + address); // The server's cache has the page after this request.
  line.passed.length = 0;
  const context = await browser.newContext(phone);
  try {
    await context.addInitScript(probePage, isPressing);
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown });
    await page.goto(line.origin + address, { waitUntil: 'commit' });
    if (!isPressing) await wait(untouchedMs);
    return await act({
      page,
      lane,
      weigh(type) {
        const paths = line.passed.filter((one) => one.type.startsWith(type)).map((one) => one.path);
        return weightOf(site, paths);
      },
      async tap(x, y) {
        const touchPoints = [{ x, y }];
        await devTools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
        await wait(tapMs);
        await devTools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      },
    });
  } finally {
    await context.close();
  }
}

async function visitOthers(browser: Browser, lane: Lane): Promise<Found> {
  const script = ({ weigh }: Visit) => weigh('text/javascript');
  const list = await (await fetch(`${lane.site.origin}/deals`)).text();
  const deal = /href="(\/deals\/[a-z0-9-]+)"/.exec(list)?.[1] ?? '/deals';
  const homeScript = await visit(browser, lane, '/', script);
  return { homeScript, dealScript: await visit(browser, lane, deal, script) };
}

async function visitList(browser: Browser, lane: Lane): Promise<Found> {
  const html = await weightOf(lane.site, ['/deals']);
  const press = ({ page }: Visit) => read(page, () => Number(sessionStorage.alive));
  const alive = await visit(browser, lane, '/deals', press, true);
  const searched = await visit(browser, lane, '/deals', leaveThenSearch);
  return { html, alive, ...searched, ...(await visit(browser, lane, '/deals', tapThenGoBack)) };
}

async function leaveThenSearch({ page, weigh, tap }: Visit): Promise<Found> {
  const script = await weigh('text/javascript');
  const styles = await weigh('text/css');
  const { firstPaint, longTasks } = await page.evaluate(readTimings);
  const box = await page.locator('input[name=search]').filter({ visible: true }).boundingBox();
  if (!box) throw new Error('The page has no search box.');
  const option: Sought = { since: 'keydown', path: '/deals', selector: '[role=option]', typed };
  const suggestions = await timeUntil(page, option, async () => {
    await tap(box.x + box.width / 2, box.y + box.height / 2);
    await page.keyboard.type(typed, { delay: 100 });
  });
  await wait(1_000);
  const searchScript = await weigh('text/javascript');
  return { script, styles, firstPaint, longTasks, suggestions, searchScript };
}

async function tapThenGoBack({ page, lane: { site, line }, tap }: Visit): Promise<Found> {
  await page.evaluate(() => scrollTo({ top: 600, behavior: 'instant' }));
  await wait(500);
  const card = await page.evaluate(findCard, cardLinks);
  await fetch(site.origin + card.path);
  line.passed.length = 0;
  const deal: Sought = { since: 'click', path: card.path, selector: 'h1', text: card.title };
  const tapped = await timeUntil(page, deal, () => tap(card.x, card.y));
  const prefetched = line.passed.some(
    (one) => one.path.startsWith(card.path) && one.purpose !== '',
  );
  await wait(1_000);
  const list: Sought = { path: '/deals', selector: cardLinks, text: card.title };
  const back = await timeUntil(page, list, () => page.evaluate(() => history.back()));
  await wait(500);
  const [scrolled, restored] = await page.evaluate(() => [scrollY, sessionStorage.restored]);
  return {
    tap: tapped,
    prefetched: Number(prefetched),
    back,
    restored: Number(restored === 'yes'),
    scrollKept: Number(Math.abs(scrolled - card.scrolled) < 3),
  };
}

/** Returns the milliseconds from the event, or from now, until the frame that shows the element. */
async function timeUntil(page: Page, sought: Sought, act: () => Promise<void>): Promise<number> {
  await page.evaluate((given) => {
    for (const name of ['start', 'seen', 'restored']) sessionStorage.removeItem(name);
    sessionStorage.setItem('sought', JSON.stringify(given));
    if (!given.since)
      sessionStorage.setItem('start', String(performance.timeOrigin + performance.now()));
    dispatchEvent(new Event('seek'));
  }, sought);
  await act();
  return read(page, () => Number(sessionStorage.seen) - Number(sessionStorage.start));
}

/** Returns a page's value once it is a number, even if the document is replaced meanwhile. */
async function read(page: Page, tell: () => number): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const told = await page.evaluate(tell).catch(() => Number.NaN);
    if (!Number.isNaN(told)) return told;
    await wait(200);
  }
  throw new Error(`${page.url()} never came to show it`);
}

async function readTimings(): Promise<{ firstPaint: number; longTasks: number }> {
  const firstPaint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
  let longTasks = 0;
  const watch = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks += duration;
  });
  watch.observe({ type: 'longtask', buffered: true });
  await new Promise((done) => setTimeout(done, 100));
  return { firstPaint, longTasks };
}

/** Returns the first card whose title is fully in view. */
function findCard(links: string) {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(links)) {
    const { x, y, width, height } = link.getBoundingClientRect();
    if (y < 200 || y > innerHeight - 100) continue;
    const title = link.textContent.trim();
    const middle = { x: x + width / 2, y: y + height / 2 };
    return { title, path: new URL(link.href).pathname, scrolled: scrollY, ...middle };
  }
  throw new Error('No card is in sight.');
}

const weights = new Map<string, number>();

/** Returns the size gzipped at the best level, so that sizes depend on the content only. */
async function weightOf({ origin }: DemoSite, paths: readonly string[]): Promise<number> {
  let sum = 0;
  for (const address of new Set(paths.map((one) => origin + one))) {
    if (!weights.has(address)) {
      const answer = await fetch(address, { headers: { 'accept-encoding': 'identity' } });
      const whole = Buffer.from(await answer.arrayBuffer());
      weights.set(address, gzipSync(whole, { level: 9 }).length);
    }
    sum += weights.get(address) ?? 0;
  }
  return sum / 1_000;
}

const names = Object.keys(figures).filter((name): name is Name => Object.hasOwn(figures, name));

function medians(found: readonly Found[]): Found {
  const valuesOf = (name: Name) => found.flatMap((one) => one[name] ?? []);
  return Object.fromEntries(names.map((name) => [name, timingOf(valuesOf(name)).median]));
}

interface Table {
  protocol: Protocol;
  before: Found | undefined;
  after: Found;
}

function describe({ protocol, before, after }: Table): string {
  const rows = names.map((name) => {
    const { says, unit, most }: Figure = figures[name];
    const [now = 0, then] = [after[name], before?.[name]];
    const shown = (value: number) => {
      if (unit === 'yes') return value === 1 ? 'yes' : 'no';
      return `${value.toFixed(unit === 'kB' ? 1 : 0)} ${unit}`;
    };
    const limit = most === 'before' ? then && then * 1.05 : most;
    const target = limit === undefined ? '' : `${shown(limit)}, ${verdictOn(now <= limit)}`;
    if (then === undefined) return [says, shown(now), target];
    const ratio = unit === 'yes' || then === 0 ? '' : (now / then).toFixed(2);
    return [says, shown(then), shown(now), ratio, target];
  });
  const head = before ? ['before', 'after', 'ratio', 'target'] : ['', 'target'];
  return table([[`/deals over ${protocol}`, ...head], ...rows]);
}

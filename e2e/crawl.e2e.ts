import { Parser } from 'htmlparser2';
import { describe, expect, inject, it } from 'vitest';
import { fetchOnce } from './fetch-once.ts';

/** All deals are visited, because some products are only linked from their deals. */
const mostDealsFollowed = 400;
/** Only some outgoing links are visited, because all are built alike. */
const mostWaysOut = 20;
/** A limit far above the number of URLs in the demo shop, to stop endless chains of links. */
const mostAddresses = 2_000;
const atOnce = 6;

interface Answer {
  status: number;
  type: string;
  links: string[];
}

describe('a crawl of the site', () => {
  const crawled = crawlOnce();

  it('finds no missing page, error or redirect when following links', async () => {
    const { answers, linkedFrom } = await crawled();
    expect(answers.size).toBeGreaterThan(150);
    const faults = [...answers].flatMap(([address, { status }]) =>
      status === (isWayOut(address) ? 302 : 200) ||
      (isOwn(address) && asksWho(status)) ||
      (isDrawn(address) && status === 302)
        ? []
        : [`${address} answers ${status}; linked from ${linkedFrom.get(address)}`],
    );
    expect(faults).toEqual([]);
  });

  it('reaches every store through a redirect', async () => {
    const { answers } = await crawled();
    expect([...answers.keys()].filter(isWayOut).length).toBe(mostWaysOut);
  });

  it('reaches every URL in the sitemap', async () => {
    const { answers, linkedFrom } = await crawled();
    const listed = await readSitemap();
    expect(listed.length).toBeGreaterThan(250);
    expect(listed.filter((address) => !linkedFrom.has(address))).toEqual([]);
    const rest = listed.filter((address) => !answers.has(address));
    const faults: string[] = [];
    await forEach(rest, async (address) => {
      const { status } = await ask(address);
      if (status !== 200) faults.push(`${address} answers ${status}`);
    });
    expect(faults).toEqual([]);
  });
});

/** The tests in this file share one crawl. */
function crawlOnce(): () => ReturnType<typeof crawl> {
  let crawling: ReturnType<typeof crawl> | undefined;
  return () => (crawling ??= crawl());
}

async function crawl() {
  const answers = new Map<string, Answer>();
  const linkedFrom = new Map<string, string>([['/', 'nowhere: the crawl begins there']]);
  let open = ['/'];
  while (open.length > 0 && answers.size < mostAddresses) {
    const following = open.slice(0, mostAddresses - answers.size);
    open = [];
    await forEach(following, async (address) => {
      const answer = await ask(address);
      answers.set(address, answer);
      for (const link of answer.links) {
        if (linkedFrom.has(link)) continue;
        linkedFrom.set(link, address);
        if (isFollowed(link)) open.push(link);
      }
    });
  }
  return { answers, linkedFrom };

  function isFollowed(link: string): boolean {
    const linked = (isSameKind: (address: string) => boolean) =>
      [...linkedFrom.keys()].filter(isSameKind).length;
    if (isDeal(link)) return linked(isDeal) <= mostDealsFollowed;
    if (isWayOut(link)) return linked(isWayOut) <= mostWaysOut;
    return true;
  }
}

function isDeal(address: string): boolean {
  return /^\/deals\/./.test(address);
}

function isWayOut(address: string): boolean {
  return address.startsWith('/out/');
}

/** Share pictures redirect to the site's picture while four others are being drawn. */
function isDrawn(address: string): boolean {
  return address.startsWith('/share-pictures/');
}

/** Pages for signed-in users that the help links to. Visitors are redirected to sign in. */
function isOwn(address: string): boolean {
  return /^\/(profile|favorites|for-you|price-alerts)(\/|$)/.test(address);
}

function asksWho(status: number): boolean {
  return status === 401 || status === 302;
}

async function ask(address: string): Promise<Answer> {
  const answer = await fetchOnce(inject('origin') + address, { redirect: 'manual' });
  const type = answer.headers.get('content-type') ?? '';
  const text = /^text\/(html|css)/.test(type) ? await answer.text() : '';
  if (text === '') await answer.body?.cancel();
  const links = type.startsWith('text/html') ? linksOfPage(text) : linksOfStyles(text);
  return { status: answer.status, type, links: links.flatMap((link) => ownAddress(link, address)) };
}

function linksOfPage(html: string): string[] {
  const links: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      for (const attribute of ['href', 'src']) {
        const link = attributes[attribute];
        if (link !== undefined) links.push(link);
      }
      for (const attribute of ['srcset', 'imagesrcset']) {
        for (const choice of attributes[attribute]?.split(',') ?? []) {
          links.push(choice.trim().split(/\s+/)[0] ?? '');
        }
      }
      const isPicture = name === 'meta' && attributes.property === 'og:image';
      if (isPicture && attributes.content) links.push(attributes.content);
    },
  });
  parser.end(html);
  return links;
}

function linksOfStyles(css: string): string[] {
  return [...css.matchAll(/url\(["']?([^"')]+)["']?\)/g)].map(([, link]) => link ?? '');
}

/** Returns the site-relative URL without its hash, or null for an external link. */
function ownAddress(link: string, on: string): string[] {
  const origin = inject('origin');
  const url = new URL(link, origin + on);
  return url.origin === origin ? [url.pathname + url.search] : [];
}

async function readSitemap(): Promise<string[]> {
  const parts = await readLocations('/sitemap.xml');
  return (await Promise.all(parts.map(readLocations))).flat();
}

async function readLocations(address: string): Promise<string[]> {
  const answer = await fetchOnce(inject('origin') + address);
  expect([address, answer.status]).toEqual([address, 200]);
  const found = (await answer.text()).matchAll(/<loc>([^<]+)<\/loc>/g);
  return [...found].flatMap(([, location = '']) => ownAddress(location, '/'));
}

async function forEach(addresses: string[], visit: (address: string) => Promise<void>) {
  const waiting = [...addresses];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await visit(next);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

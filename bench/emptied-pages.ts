import { setTimeout as wait } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { PageCache } from '#server/page-cache.ts';
import { listenForPageChanges } from '#server/page-invalidation.ts';
import { renderForAll } from '#server/rendered-pages.ts';
import { loadBuiltSite } from '#server/site-sources.ts';
import type { StoredAnswer } from '#server/stored-answer.ts';
import { openSite } from '#server/visit.ts';

const products = 60;
const changes = 20;
const pagesOfCategory = 3;

interface Offer {
  id: number;
  slug: string;
  product: string;
}

/**
 * Caches pages of products, their deals and lists, and changes prices one at a time. Counts the
 * pages that each price invalidates. A page is invalidated needlessly if it shows neither the
 * product nor any of its offers. Requires the build.
 */
export async function countEmptied(url: string, db: Db) {
  const services = {
    db,
    env: readEnv({ NODE_ENV: 'production', ORIGIN: 'https://deals.test' }),
    log: createLog('silent'),
    now: () => new Date(),
  };
  const started = Date.now();
  const cache = new PageCache<StoredAnswer>({ maxBytes: 2 ** 28, now: () => started });
  const { close, ...built } = await loadBuiltSite(services);
  const site = openSite({ ...built, services, cache }, 30_000);
  const heard = new Set<string>();
  const listener = {
    invalidate: (tags: readonly string[]) => tags.forEach((tag) => heard.add(tag)),
    trust: () => {},
  };
  const news = listenForPageChanges(url, [cache, listener], services.log);
  const hear = async (tag: string) => {
    for (let tries = 0; !heard.has(tag); tries++) {
      if (tries > 1_000) throw new Error(`${tag} was never announced.`);
      if (tag === 'bench') await sql`select pg_notify('pages', 'bench')`.execute(db);
      await wait(20);
    }
    heard.clear();
  };
  const offers = await findOffers(db);
  const keys = await listKeys(db, offers);
  const texts = new Map<string, string>();
  /** Renders the pages that are not cached, and returns their keys. */
  const renderMissing = async () => {
    const rendered: string[] = [];
    for (const key of keys) {
      let isMissing = false;
      const page = await cache.read(key, (wanted) => {
        isMissing = true;
        return renderForAll(site, wanted);
      });
      if (!isMissing || page === null) continue; // Redirects are never cached.
      rendered.push(key);
      texts.set(key, textOf(page));
    }
    return rendered;
  };
  try {
    await hear('bench');
    await renderMissing();
    const counts: number[] = [];
    let needless = 0;
    const groups = [...Map.groupBy(offers, ({ product }) => product).values()];
    for (const group of groups.slice(0, changes)) {
      const [first] = group;
      const shown = [`/products/${first?.product}"`, ...group.map(({ slug }) => `/deals/${slug}"`)];
      const showing = new Set(
        keys.filter((key) => shown.some((text) => `${key}" ${texts.get(key)}`.includes(text))),
      );
      await sql`update deals set sale_price = sale_price + 1 where id = ${first?.id}`.execute(db);
      await hear(`deal:${first?.id}`);
      const emptied = await renderMissing();
      counts.push(emptied.length);
      needless += emptied.filter((key) => !showing.has(key)).length;
      await sql`update deals set sale_price = sale_price - 1 where id = ${first?.id}`.execute(db);
      await hear(`deal:${first?.id}`);
      await renderMissing();
    }
    const sum = counts.reduce((all, one) => all + one, 0);
    return { cached: texts.size, mean: sum / counts.length, most: Math.max(...counts), needless };
  } finally {
    await news.stop();
    await close?.();
  }
}

/** Returns the live offers of some products that several stores sell. */
function findOffers(db: Db): Promise<Offer[]> {
  return ask(db).rows<Offer>`
    select d.id, d.slug, p.slug as product
      from (select product_id from deals
             where is_active and not is_expired and expires_at is null and product_id is not null
             group by product_id having count(distinct merchant_id) > 2
             order by product_id % 97, product_id limit ${products}) chosen
      join products p on p.id = chosen.product_id
      join deals d on d.product_id = p.id and d.is_active and not d.is_expired
     order by p.id, d.id`;
}

/** The lists have the default order, because a price change moves deals in other orders. */
async function listKeys(db: Db, offers: readonly Offer[]): Promise<string[]> {
  const categories = await ask(db).column<string>`select slug from categories order by id`;
  return [
    '/deals',
    ...categories.flatMap((slug) =>
      Array.from({ length: pagesOfCategory }, (_, page) =>
        page === 0 ? `/categories/${slug}` : `/categories/${slug}?page=${page + 1}`,
      ),
    ),
    ...new Set(offers.map(({ product }) => `/products/${product}`)),
    ...offers.map(({ slug }) => `/deals/${slug}`),
  ];
}

function textOf({ variants: { br, identity } }: StoredAnswer): string {
  const body = br?.body ?? identity.body ?? '';
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
  return br ? brotliDecompressSync(bytes).toString() : bytes.toString();
}

import type { Route } from './+types/sitemap-route';
import { listPostAddresses } from '#app/features/blog/blog-queries.server.ts';
import { listAddresses } from '#app/features/catalog/slug-queries.server.ts';
import { listHiddenTexts, listPageAddresses } from '#app/features/pages/page-queries.server.ts';
import { listProductAddresses } from '#app/features/products/product-queries.server.ts';
import { listDealAddresses } from '#app/features/deals/deal-feed-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import type { Db } from '#database/connect.ts';
import { answerNotFound } from './answer-conditionally.server.ts';
import sitemapPages from './sitemap-pages.json' with { type: 'json' };
import { answerSitemap, type SitemapUrl, urlsInSitemap } from './sitemap-xml.server.ts';

const dealsInBatch = 2_000;

/**
 * Returns one part of the sitemap: fixed pages, categories, merchants, products, posts, or the live deals in
 * a range of ids.
 */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const { db, env } = appServices(context);
  const range = /^deals-([1-9]\d{0,9})\.xml$/.exec(params.name)?.[1];
  if (range) {
    const batches = dealBatches(db, Number(range));
    // The first batch is read before the response starts, so that a range without deals is a 404.
    const first = await batches.next();
    return first.done
      ? answerNotFound()
      : answerSitemap(env.origin, startingWith(first.value, batches));
  }
  const urls = await listUrls(db, params.name);
  return urls ? answerSitemap(env.origin, startingWith(urls, null)) : answerNotFound();
}

async function listUrls(db: Db, name: string): Promise<SitemapUrl[] | null> {
  switch (name) {
    case 'pages.xml':
      // A test compares the file with `routes.ts`. Pages in `notForSearch` belong to a single
      // visitor.
      return listPages(db);
    case 'categories.xml':
      return under('/categories', await listAddresses(db, 'categories', urlsInSitemap));
    case 'merchants.xml':
      return under('/merchants', await listAddresses(db, 'merchants', urlsInSitemap));
    case 'products.xml':
      return (await listProductAddresses(db, urlsInSitemap)).map(({ slug, updated_at }) => ({
        path: `/products/${slug}`,
        changedAt: updated_at,
      }));
    case 'blog.xml':
      return under('/blog', await listPostAddresses(db, urlsInSitemap));
    default:
      return null;
  }
}

async function listPages(db: Db): Promise<SitemapUrl[]> {
  const hidden = new Set(await listHiddenTexts(db));
  const listed = sitemapPages.listed.filter((path) => !hidden.has(path.slice(1)));
  return [
    ...listed.map((path) => ({ path })),
    ...under('', await listPageAddresses(db, urlsInSitemap - listed.length)),
  ];
}

function under(folder: string, rows: { slug: string; updated_at: Date }[]): SitemapUrl[] {
  return rows.map(({ slug, updated_at }) => ({ path: `${folder}/${slug}`, changedAt: updated_at }));
}

async function* dealBatches(db: Db, range: number): AsyncGenerator<SitemapUrl[], void> {
  const last = range * urlsInSitemap;
  let seen = last - urlsInSitemap;
  for (;;) {
    const rows = await listDealAddresses(db, { after: seen, last, limit: dealsInBatch });
    if (rows.length === 0) return;
    yield under('/deals', rows);
    seen = rows.at(-1)?.id ?? last;
  }
}

async function* startingWith<T>(first: T, rest: AsyncIterable<T> | null): AsyncGenerator<T, void> {
  yield first;
  if (rest) yield* rest;
}

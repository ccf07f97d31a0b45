import { escapeXml } from '#app/platform/escape-xml.ts';

export interface SitemapUrl {
  /** The path with its leading slash, without the origin. */
  path: string;
  changedAt?: Date;
}

/** URLs per file; the protocol allows 50,000 */
export const urlsInSitemap = 45_000;

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const headers = {
  'content-type': 'application/xml; charset=utf-8',
  'cache-control': 'public, max-age=3600',
};

export function answerSitemapIndex(origin: string, names: string[]): Response {
  const entries = names.map(
    (name) => `<sitemap><loc>${escapeXml(`${origin}/sitemaps/${name}`)}</loc></sitemap>\n`,
  );
  const body = `${declaration}<sitemapindex ${namespace}>\n${entries.join('')}</sitemapindex>\n`;
  return new Response(body, { headers });
}

/** Streams the sitemap batch by batch, so that the whole list is never in memory. */
export function answerSitemap(origin: string, batches: AsyncIterable<SitemapUrl[]>): Response {
  const encoder = new TextEncoder();
  const pieces = write();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await pieces.next();
      if (piece.done) controller.close();
      else controller.enqueue(encoder.encode(piece.value));
    },
    async cancel() {
      await pieces.return();
    },
  });
  return new Response(body, { headers });

  async function* write(): AsyncGenerator<string, void> {
    yield `${declaration}<urlset ${namespace}>\n`;
    for await (const urls of batches) yield urls.map((url) => urlElement(origin, url)).join('');
    yield '</urlset>\n';
  }
}

function urlElement(origin: string, { path, changedAt }: SitemapUrl): string {
  const changed = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : '';
  return `<url><loc>${escapeXml(origin + path)}</loc>${changed}</url>\n`;
}

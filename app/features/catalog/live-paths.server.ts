import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** Fixed pages of the site. A test compares them with the routes. */
const fixed = new Set(
  `/ /deals /categories /merchants /coupons /blog /check /evidence /how-we-rank /feeds /about /help /faq /developers /contact
   /privacy /terms /cookies /disclaimer /newsletter /newsletter/confirm /newsletter/preferences /unsubscribe /favorites /favorites/saved /favorites/import /for-you
   /price-alerts /price-alerts/new /price-alerts/confirm /price-alerts/searches/new /price-alerts/by-mail /profile
   /profile/two-factor /profile/passkeys /profile/providers /sign-in /sign-in/second-factor /sign-up
   /forgot-password /resend-verification /reset-password /verify-email /confirm-address /setup /invitation
   /stop-mails /logout /openapi.json /mcp /profile/export /stop-mails/one-click /unsubscribe/one-click
   /.well-known/security.txt /.well-known/change-password /.well-known/passkey-endpoints /robots.txt /llms.txt /indexnow-key.txt
   /sitemap.xml /opensearch.xml /manifest.webmanifest`.split(/\s+/),
);
/** Pages with a dynamic part other than a slug: their routes decide what exists. */
const reserved =
  /^\/(?:admin|api|out|health|metrics|sitemaps|feeds|webhooks|mail-pictures|share-pictures|brand|media|assets|art|lists|sign-in\/with)(?:\/|$)|^\/products$|^\/(?:deals|coupons)\/[^/]+\/report$/;
const ofSlug = /^\/(deals|products|categories|merchants|blog)\/([^/]+)(\/discount-check)?$/;
/**
 * Folders of the site, which cannot contain the owner's pages. A test compares them with the
 * routes.
 */
const folders =
  /^\/(?:deals|products|categories|merchants|coupons|blog|newsletter|unsubscribe|favorites|price-alerts|profile|sign-in|stop-mails)\//;

/** Returns whether a path belongs to a route of the site, regardless of the database. */
export function isFixedPath(path: string): boolean {
  return fixed.has(path) || reserved.test(path);
}

/** Returns whether the owner's pages cannot have this path. */
export function isSitePath(path: string): boolean {
  return isFixedPath(path) || folders.test(path);
}

/** Returns which of the paths have a page, and so cannot be redirected. */
export async function findLivePaths(db: Db, paths: readonly string[]): Promise<Set<string>> {
  const asked = paths.flatMap((path) => {
    if (!folders.test(path)) return [{ path, kind: 'pages', slug: path.slice(1) }];
    const [, kind, slug, page] = ofSlug.exec(path) ?? [];
    return kind && slug && (!page || kind === 'merchants') ? [{ path, kind, slug }] : [];
  });
  const found = await ask(db).column<string>`
    select a.path
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as a (path text, kind text, slug text)
     where (a.kind = 'deals' and exists (select from deals where slug = a.slug and is_active))
        or (a.kind = 'products' and exists (
          select from products p join deals d on d.product_id = p.id and d.is_active where p.slug = a.slug))
        or (a.kind = 'categories' and exists (select from categories where slug = a.slug))
        or (a.kind = 'merchants' and exists (select from merchants where slug = a.slug))
        or (a.kind = 'pages' and exists (select from site_pages where slug = a.slug and is_visible))
        or (a.kind = 'blog' and exists (select from blog_posts where slug = a.slug and is_published))`;
  return new Set([...paths.filter(isFixedPath), ...found]);
}

import type { MetaDescriptor } from 'react-router';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import type { SiteText } from '#app/features/pages/read-site-text.server.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';

/** Returns the `meta` of a page with one of the site's texts. */
export function textMeta(
  {
    matches,
  }: { matches: readonly [{ loaderData?: { site: PublicSite } | undefined }, ...unknown[]] },
  path: string,
  head: SiteText['head'] | undefined,
  jsonLd: readonly object[] = [],
): MetaDescriptor[] {
  return head ? pageMeta({ site: matches[0].loaderData?.site, path, ...head, jsonLd }) : [];
}

import type { MetaDescriptor } from 'react-router';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';

export function missingStoreMeta(site: PublicSite | undefined, path: string): MetaDescriptor[] {
  return pageMeta({
    site,
    path,
    title: 'Page Not Found',
    description: 'This store does not exist.',
    isIndexed: false,
  });
}

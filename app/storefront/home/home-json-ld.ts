import type { Organization, SearchAction, WebSite, WithContext } from 'schema-dts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';

/** The site and its search as structured data. */
export function homeJsonLd(site: PublicSite): [WithContext<WebSite>, WithContext<Organization>] {
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'WebSite',
      name: site.name,
      url: `${site.origin}/`,
      potentialAction: {
        '@type': 'SearchAction',
        target: {
          '@type': 'EntryPoint',
          urlTemplate: `${site.origin}/deals?search={search_term_string}`,
        },
        // The types of schema-dts lack this property of the search action, which search engines
        // read.
        'query-input': 'required name=search_term_string',
      } as SearchAction,
    },
    {
      '@context': 'https://schema.org',
      '@type': 'Organization',
      name: site.name,
      url: `${site.origin}/`,
      logo: `${site.origin}/icon-512.png`,
    },
  ];
}

import type { MetaDescriptor } from 'react-router';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';

interface UnderRoot {
  matches: readonly [{ loaderData?: { site: PublicSite } | undefined }, ...unknown[]];
}

/** Pages of an account are nobody else's business, so no search engine lists them. */
export function accountMeta(title: string): (page: UnderRoot) => MetaDescriptor[] {
  return ({ matches }) => [
    { title: `${title} | ${matches[0].loaderData?.site.name ?? 'Deal Hub'}` },
    { name: 'robots', content: 'noindex' },
    // A token in the address must not travel to another host. Not `no-referrer`: with that a browser posts a form
    // without script under the origin `null`, which the router refuses.
    { name: 'referrer', content: 'same-origin' },
  ];
}

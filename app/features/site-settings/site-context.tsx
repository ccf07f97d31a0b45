import { createContext, type ReactNode, useContext } from 'react';
import type { PublicSite } from './public-site.ts';

const SiteContext = createContext<PublicSite | null>(null);

export function SiteProvider({ site, children }: { site: PublicSite; children: ReactNode }) {
  return <SiteContext value={site}>{children}</SiteContext>;
}

/** Returns the site's public settings: name, currency and how prices are claimed. */
export function useSite(): PublicSite {
  const site = useContext(SiteContext);
  if (!site) throw new Error('useSite needs a SiteProvider above it');
  return site;
}

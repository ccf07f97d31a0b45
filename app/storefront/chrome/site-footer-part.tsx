import { lazy, Suspense } from 'react';

const load = async () => (await import('./site-footer.tsx')).SiteFooter;

/**
 * The footer of every page: the server sends it whole, and its script comes once the page stands, like that of the
 * newsletter form in it. Its styles are in the shared sheet (vite.config.ts).
 */
const Footer = import.meta.env.SSR ? await load() : lazy(async () => ({ default: await load() }));

export function SiteFooterPart() {
  return (
    <Suspense>
      <Footer />
    </Suspense>
  );
}

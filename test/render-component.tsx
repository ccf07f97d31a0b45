import type { ComponentProps, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { type Viewer, ViewerProvider } from '#app/features/accounts/sessions/viewer-context.tsx';
import { FavoritesProvider } from '#app/features/favorites/favorites-context.tsx';
import { AlertsProvider } from '#app/features/price-alerts/alerts-context.tsx';
import { type PublicSite, publicSite } from '#app/features/site-settings/public-site.ts';
import { SiteProvider } from '#app/features/site-settings/site-context.tsx';
import { defaultSettings } from '#app/features/site-settings/site-settings.ts';
import { islands } from '#app/islands.ts';
import { IslandPageContext } from '#app/islands/island-page.ts';
import { islandRenderer } from '#app/islands/render-island.server.ts';
import { demoSettings } from '#database/seed/demo-settings.ts';
import { testOrigin } from '#test/origin.ts';

const renderIsland = await islandRenderer(islands);

export const testSiteFacts: PublicSite = publicSite(
  { ...defaultSettings, ...demoSettings },
  testOrigin,
  new Date('2026-07-01'),
);

interface Surroundings {
  /** The URL of the page that contains the component. */
  path?: string;
  site?: Partial<PublicSite>;
  viewer?: Viewer | null;
  passwordMinLength?: number;
  favoriteIds?: number[];
  alertRules?: ComponentProps<typeof AlertsProvider>['rules'];
}

/** Returns a component's markup as the server sends it, within the root's contexts. */
export function render(element: ReactNode, around: Surroundings = {}): string {
  const { viewer = null, passwordMinLength = 6, favoriteIds = [], alertRules = [] } = around;
  const Page = () => (
    <SiteProvider site={{ ...testSiteFacts, ...around.site }}>
      <ViewerProvider viewer={viewer} providers={[]} passwordMinLength={passwordMinLength}>
        <FavoritesProvider ids={favoriteIds}>
          <AlertsProvider rules={alertRules}>{element}</AlertsProvider>
        </FavoritesProvider>
      </ViewerProvider>
    </SiteProvider>
  );
  const Stub = createRoutesStub([{ path: '*', Component: Page }]);
  return renderToStaticMarkup(
    <IslandPageContext value={renderIsland('/assets/entry.js')}>
      <Stub initialEntries={[around.path ?? '/']} />
    </IslandPageContext>,
  );
}

/** Returns the visible text in the markup, with collapsed white space. */
export function textOf(html: string): string {
  return html
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns all opening tags with this name, in document order. */
export function tagsOf(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`<${name}(?=[\\s>/])[^>]*>`, 'g'))].map(([tag]) => tag);
}

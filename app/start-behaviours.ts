import { startHearts } from '#app/features/favorites/start-hearts.ts';
import { startEarlySuggestions } from '#app/features/search/early-suggestions.ts';
import { startLists } from '#app/islands/change-list.ts';
import { reloadWhenStale } from '#app/islands/reload-when-stale.ts';
import { findIslands, hydrateOnInteraction, whenIdle } from '#app/islands/wake-islands.ts';
import { watchConnection } from '#app/storefront/chrome/watch-connection.ts';
import { startActs, startFloating, startMenus, startPictures, startSlash } from './behaviours.ts';
import { islands, openedIslands } from './islands.ts';

const fetchAccount = () => import('./start-account.ts');

/**
 * Starts the event handlers of a page, most of which need no component. The returned promise
 * resolves when all are attached. If the account's part fails to load, the browser posts the
 * account's forms.
 */
export async function startBehaviours(): Promise<void> {
  const fetchMore = async () => (await fetchAccount()).accountIslands;
  hydrateOnInteraction({ ...islands, ...openedIslands }, fetchMore);
  startActs();
  startMenus();
  startSlash();
  startLists();
  startEarlySuggestions();
  startHearts();
  startPictures();
  startFloating();
  findIslands(document);
  reloadWhenStale();
  whenIdle(watchConnection);
  // Registers the service worker for offline support. Waits until visitors have stayed a while, so
  // that the registration does not delay the page.
  const keepWorker = () => navigator.serviceWorker?.register('/sw.js').catch(() => {});
  if (import.meta.env.PROD) setTimeout(keepWorker, 6000);
  if (!document.querySelector('[data-account]')) return;
  await fetchAccount().then(
    ({ startAccount }) => startAccount(),
    () => {},
  );
}

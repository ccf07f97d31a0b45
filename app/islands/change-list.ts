import { closest, opensElsewhere } from './pressed.ts';

const loadSwap = () => import('./swap-regions.ts');

/** Browsers that cannot intercept back and forward follow the links that add a history entry. */
const canStep = 'navigation' in window;

/**
 * Handles links and filters that change a part of their page in place, such as a list. The script
 * loads on hover or focus.
 */
export function startLists(): void {
  // Pages with a router have `RouterLinks` for this.
  if ('__reactRouterContext' in window) return;
  for (const type of ['pointerover', 'focusin']) {
    document.addEventListener(type, ({ target }) => {
      if (closest(target, '[data-swap], [data-filter]')) loadSwap().catch(() => {});
    });
  }
  document.addEventListener('click', (event) => {
    const link = closest(event.target, 'a[data-swap]');
    if (!(link instanceof HTMLAnchorElement) || opensElsewhere(event)) return;
    const { href, dataset } = link;
    const how = dataset['swap'] === 'push' ? 'push' : 'replace';
    if (how === 'push' && !canStep) return;
    event.preventDefault();
    loadSwap().then(
      ({ swapRegions }) => swapRegions(href, how),
      () => location.assign(href),
    );
  });
  for (const type of ['change', 'submit']) {
    document.addEventListener(type, (event) => {
      const form = closest(event.target, 'form[data-filter]');
      if (!(form instanceof HTMLFormElement)) return;
      event.preventDefault();
      loadSwap().then(
        ({ applyFilters }) => applyFilters(form),
        () => form.checkValidity() && form.submit(),
      );
    });
  }
  if (canStep) navigation.addEventListener('navigate', followStep);
}

/**
 * Handles back and forward between the states of a page. Afterwards the browser restores the scroll
 * position.
 */
function followStep(event: NavigateEvent): void {
  const { navigationType, canIntercept, hashChange, destination } = event;
  if (navigationType !== 'traverse' || !canIntercept || hashChange) return;
  if (!destination.sameDocument) return;
  const handler = () =>
    loadSwap().then(
      ({ swapRegions }) => swapRegions(destination.url, 'traverse'),
      () => location.reload(),
    );
  event.intercept({ handler, focusReset: 'manual' });
}

import { closest, opensElsewhere } from './pressed.ts';

const loadSwap = () => import('./swap-regions.ts');

/** Browsers that cannot say when they go back and forth follow the links that make a step in the history. */
const canStep = 'navigation' in window;

/** Links and filters that change the list, or the like, of their page in place. Their script comes on approach. */
export function startLists(): void {
  // There `RouterLinks` does it.
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

/** Back and forth between the states of a page; when it is done, the browser scrolls to where its visitor was. */
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

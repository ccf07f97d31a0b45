import { filterAddress } from './filter-address.ts';
import { type Field, isField, morph } from './morph.ts';
import { pageChanged } from './page-changed.ts';
import { closest } from './pressed.ts';
import { findIslands } from './wake-islands.ts';

/** ms; a quicker response needs no placeholder, since its flash would make the page seem slower */
const patienceMs = 150;
const scrollAfterMs = 100;

/** The kind of history entry: replaced, added, or reached with back and forward. */
type HowShown = 'replace' | 'push' | 'traverse';

/**
 * A change of the page: the placeholder region with its templates, and the page's state at the time
 * of the request.
 */
interface Change {
  address: string;
  from: string;
  how: HowShown;
  place: HTMLElement;
  focused: Element | null;
  values: Map<Element, string>;
}

let underWay: AbortController | undefined;
let scrolling: ReturnType<typeof setTimeout> | undefined;
let placeholder: { element: HTMLElement; scrolledTo: number } | undefined;

// A page in the back/forward cache no longer receives responses.
addEventListener('pagehide', () => {
  if (!underWay) return;
  underWay.abort();
  addEventListener('pageshow', () => location.reload(), { once: true });
});

// On Escape, a text field returns to the applied value.
document.addEventListener('keydown', ({ key, target, isComposing }) => {
  if (key !== 'Escape' || isComposing || !closest(target, '[data-filter]')) return;
  if (target instanceof HTMLInputElement) target.value = target.defaultValue;
});

/**
 * Requests the list for a filter form. The browser reports invalid values. `data-filter` is the
 * last requested URL, and the same URL is not requested again.
 */
export function applyFilters(form: HTMLFormElement): void {
  const fields = [...form.elements].filter(isField).map((field) => {
    return { name: field.name, value: valueOf(field), usual: field.dataset['usual'] };
  });
  const address = filterAddress(form.getAttribute('action') ?? '', fields);
  if (address === form.dataset['filter']) return;
  form.dataset['filter'] = address;
  // Each choice adds a history entry if the browser can go back in place.
  void swapRegions(address, 'navigation' in window ? 'push' : 'replace');
}

/** Returns the value of a field for the request, or the previous one if it is invalid. */
function valueOf(field: Field): string {
  const isWrong = field instanceof HTMLInputElement && !field.validity.valid;
  return isWrong ? field.defaultValue : field.value;
}

/**
 * Shows another state of this page by replacing its regions with those of the URL. A newer change
 * aborts an older one.
 */
export async function swapRegions(address: string, how: HowShown): Promise<void> {
  const place = document.querySelector('[data-region] + template')?.previousElementSibling;
  if (!(place instanceof HTMLElement)) return location.assign(address);
  const fields = document.querySelectorAll<Field>('[data-filter] :is(input, select)');
  const values = new Map([...fields].map((field) => [field, valueOf(field)]));
  const change = {
    address,
    from: shownAddress(),
    how,
    place,
    values,
    focused: document.activeElement,
  };
  place.ariaBusy = 'true';
  underWay?.abort();
  const { signal } = (underWay = new AbortController());
  const timer = setTimeout(() => stand('waiting', change), patienceMs);
  try {
    const answer = await fetch(address, { headers: { accept: 'text/html' }, signal });
    if (answer.status === 429 || answer.status >= 500)
      throw new Error(`Responded with status ${answer.status}`);
    const html = await answer.text();
    // The visitor has already moved on with back or forward, which requests its own state.
    if (shownAddress() !== change.from) return;
    showPage(answer.url, html, change);
  } catch {
    if (!signal.aborted) offerRetry(change);
  } finally {
    clearTimeout(timer);
    if (underWay?.signal === signal) underWay = undefined;
  }
}

function showPage(address: string, html: string, change: Change): void {
  const { how, place, focused, values } = change;
  const page = new DOMParser().parseFromString(html, 'text/html');
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].map((region) => ({
    region,
    next: page.querySelector(`[data-region="${region.dataset['region']}"]`),
  }));
  // The response is another page, or its visitor signed in or out elsewhere.
  const isOther = page.documentElement.dataset['own'] !== document.documentElement.dataset['own'];
  if (isOther || regions.some(({ next }) => next === null)) {
    if (how === 'push') location.assign(address);
    else location.replace(address);
    return;
  }
  const scrolledTo = removePlaceholder(place);
  noteAddress(address, how, scrolledTo);
  document.title = page.title;
  for (const { region, next } of regions) {
    if (!next) continue;
    morph(region, next, values);
    findIslands(region);
  }
  keepFocus(focused, place);
  document.dispatchEvent(new Event(pageChanged));
  showTop(change);
}

/**
 * Updates the history. The browser stores the scroll position with the URL, and the placeholder may
 * have changed it.
 */
function noteAddress(address: string, how: HowShown, scrolledTo: number): void {
  if (address === shownAddress()) return;
  if (how !== 'push') return history.replaceState(history.state, '', address);
  const present = scrollY;
  scrollTo({ top: scrolledTo, behavior: 'instant' });
  history.pushState(null, '', address);
  scrollTo({ top: present, behavior: 'instant' });
}

/** Returns the URL without its hash. */
function shownAddress(): string {
  return location.origin + location.pathname + location.search;
}

function offerRetry(change: Change): void {
  const retry = stand('lost', change)?.querySelector('a');
  if (!retry) return;
  retry.href = change.address;
  retry.dataset['swap'] = change.how;
}

/** Shows a template of the page in place of the list, which is only hidden. */
function stand(when: 'waiting' | 'lost', change: Change): HTMLElement | null {
  const template = document.querySelector<HTMLTemplateElement>(`template[data-when="${when}"]`);
  const element = template && document.importNode(template.content, true).firstElementChild;
  if (!(element instanceof HTMLElement)) return null;
  const { place } = change;
  const scrolledTo = placeholder?.scrolledTo ?? scrollY;
  // Keeping the height preserves the layout below, and therefore the scroll position.
  element.style.minHeight = `${(placeholder?.element ?? place).offsetHeight}px`;
  placeholder?.element.remove();
  placeholder = { element, scrolledTo };
  place.before(element);
  place.hidden = true;
  showTop(change);
  return element;
}

/** Removes the placeholder and returns the former scroll position of the page. */
function removePlaceholder(place: HTMLElement): number {
  const { scrolledTo = scrollY } = placeholder ?? {};
  placeholder?.element.remove();
  placeholder = undefined;
  place.hidden = false;
  return scrolledTo;
}

/** Scrolls to the top of the placeholder. Back and forward restore the visitor's position. */
function showTop({ place, how }: Change): void {
  clearTimeout(scrolling);
  const shown = placeholder?.element ?? place;
  const isAbove = shown.getBoundingClientRect().top < 0;
  if (how === 'traverse' || place.dataset['region'] !== 'list' || !isAbove) return;
  // The stylesheet makes the scrolling smooth, unless the visitor prefers reduced motion.
  scrolling = setTimeout(() => shown.scrollIntoView(), scrollAfterMs);
}

/**
 * Restores the focus to its element if the element still exists or was only hidden. Otherwise the
 * list receives the focus.
 */
function keepFocus(focused: Element | null, place: HTMLElement): void {
  if (!(focused instanceof HTMLElement) || focused === document.body) return;
  if (document.activeElement !== document.body) return;
  if (place.contains(focused)) return focused.focus({ preventScroll: true });
  if (focused.isConnected) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

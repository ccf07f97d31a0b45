import { filterAddress } from './filter-address.ts';
import { type Field, isField, morph } from './morph.ts';
import { pageChanged } from './page-changed.ts';
import { closest } from './pressed.ts';
import { findIslands } from './wake-islands.ts';

/** A quicker answer shows nothing in between: a flash of grey would look slower than it is. */
const patienceMs = 150;
const scrollAfterMs = 100;

/** In the history: instead of what is shown, after it, or gone to by back and forward. */
type HowShown = 'replace' | 'push' | 'traverse';

/** Where one waits, which is the region with templates behind it, and what the page was when this was asked for. */
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
let standIn: { element: HTMLElement; scrolledTo: number } | undefined;

// A page that rests in the browser's memory hears no answer any more.
addEventListener('pagehide', () => {
  if (!underWay) return;
  underWay.abort();
  addEventListener('pageshow', () => location.reload(), { once: true });
});

// A text goes back to what is in force.
document.addEventListener('keydown', ({ key, target, isComposing }) => {
  if (key !== 'Escape' || isComposing || !closest(target, '[data-filter]')) return;
  if (target instanceof HTMLInputElement) target.value = target.defaultValue;
});

/**
 * Asks for what a form of filters says; what makes no sense in it, its browser says. `data-filter` is the address asked
 * for last: the same again is no change.
 */
export function applyFilters(form: HTMLFormElement): void {
  const fields = [...form.elements].filter(isField).map((field) => {
    return { name: field.name, value: valueOf(field), usual: field.dataset['usual'] };
  });
  const address = filterAddress(form.getAttribute('action') ?? '', fields);
  if (address === form.dataset['filter']) return;
  form.dataset['filter'] = address;
  void swapRegions(address, 'replace');
}

/** What a field asks for: not what makes no sense, but what was there before. */
function valueOf(field: Field): string {
  const isWrong = field instanceof HTMLInputElement && !field.validity.valid;
  return isWrong ? field.defaultValue : field.value;
}

/** Shows another state of this page: its regions become those of that address. A newer change ends an older one. */
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
    if (answer.status === 429 || answer.status >= 500) throw new Error(`It is ${answer.status}`);
    const html = await answer.text();
    // Back and forward have moved on, and ask in a moment for what is there.
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
  // It is another page by now, or its visitor signed in or out elsewhere.
  const isOther = page.documentElement.dataset['own'] !== document.documentElement.dataset['own'];
  if (isOther || regions.some(({ next }) => next === null)) {
    if (how === 'push') location.assign(address);
    else location.replace(address);
    return;
  }
  const scrolledTo = endStandIn(place);
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

/** The browser notes with an address where it was scrolled to: what stood in for the list may have moved that. */
function noteAddress(address: string, how: HowShown, scrolledTo: number): void {
  if (address === shownAddress()) return;
  if (how !== 'push') return history.replaceState(history.state, '', address);
  const present = scrollY;
  scrollTo({ top: scrolledTo, behavior: 'instant' });
  history.pushState(null, '', address);
  scrollTo({ top: present, behavior: 'instant' });
}

/** Without its hash. */
function shownAddress(): string {
  return location.origin + location.pathname + location.search;
}

function offerRetry(change: Change): void {
  const retry = stand('lost', change)?.querySelector('a');
  if (!retry) return;
  retry.href = change.address;
  retry.dataset['swap'] = change.how;
}

/** Puts what a template of the page holds where the list is, which is only hidden meanwhile. */
function stand(when: 'waiting' | 'lost', change: Change): HTMLElement | null {
  const template = document.querySelector<HTMLTemplateElement>(`template[data-when="${when}"]`);
  const element = template && document.importNode(template.content, true).firstElementChild;
  if (!(element instanceof HTMLElement)) return null;
  const { place } = change;
  const scrolledTo = standIn?.scrolledTo ?? scrollY;
  // What is below stays where it is, and so does who looks at it.
  element.style.minHeight = `${(standIn?.element ?? place).offsetHeight}px`;
  standIn?.element.remove();
  standIn = { element, scrolledTo };
  place.before(element);
  place.hidden = true;
  showTop(change);
  return element;
}

/** Answers where the page was scrolled to before. */
function endStandIn(place: HTMLElement): number {
  const { scrolledTo = scrollY } = standIn ?? {};
  standIn?.element.remove();
  standIn = undefined;
  place.hidden = false;
  return scrolledTo;
}

/** What stands where one waited has its top on the screen; back and forward lead to where the visitor was (P46). */
function showTop({ place, how }: Change): void {
  clearTimeout(scrolling);
  const shown = standIn?.element ?? place;
  const isAbove = shown.getBoundingClientRect().top < 0;
  if (how === 'traverse' || place.dataset['region'] !== 'list' || !isAbove) return;
  // Smooth by the style sheet, for all who did not ask for less motion.
  scrolling = setTimeout(() => shown.scrollIntoView(), scrollAfterMs);
}

/** To where it was if that is there, or was hidden for a while; else to the list. */
function keepFocus(focused: Element | null, place: HTMLElement): void {
  if (!(focused instanceof HTMLElement) || focused === document.body) return;
  if (document.activeElement !== document.body) return;
  if (place.contains(focused)) return focused.focus({ preventScroll: true });
  if (focused.isConnected) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

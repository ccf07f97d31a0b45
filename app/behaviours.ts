import type { Appearance } from '#app/ui/theme.ts';
import { checkNow, dismissConnection } from '#app/storefront/chrome/watch-connection.ts';
import { copyText, share } from '#app/ui/copy-and-share.ts';
import { dismissToast } from '#app/ui/show-toast.ts';
import { closest, opensElsewhere } from '#app/islands/pressed.ts';
import { fetchScripts, openIsland } from '#app/islands/wake-islands.ts';

/** Applies a choice at once. The code that stores the choice loads only when a switch is used. */
function switchAppearance(look: Appearance): void {
  const isOn = document.documentElement.classList.toggle(look);
  void import('#app/storefront/chrome/store-appearance.ts').then(
    ({ storeAppearance }) => storeAppearance(look, isOn),
    () => {},
  );
}

/** Click handlers by the `data-act` of the clicked element, for features that need no component. */
const acts: Record<string, (control: HTMLElement) => void> = {
  theme: () => switchAppearance('dark'),
  density: () => switchAppearance('compact'),
  copy: (button) => void copyText(button),
  share: ({ dataset: { title = '', text, url = '' } }) =>
    void share({ title, ...(text && { text }), url }),
  top() {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    scrollTo({ top: 0, behavior: isCalm ? 'instant' : 'smooth' });
    document.getElementById('main')?.focus({ preventScroll: true });
  },
  /** Collapses the filters on a phone, where they cover the filtered list. */
  'fold-filters'(button) {
    const toggle = button.closest('form')?.querySelector('details');
    if (toggle) toggle.open = false;
    toggle?.querySelector('summary')?.focus();
  },
  back: () => history.back(),
  reload: () => location.reload(),
  dismiss: dismissToast,
  'check-connection': () => void checkNow(),
  'dismiss-connection': dismissConnection,
  'check-evidence': (link) =>
    void import('#app/features/evidence/check-evidence.ts').then(
      ({ checkEvidence }) => checkEvidence(link),
      () => location.assign('/evidence'),
    ),
  open: openIsland,
  /** The value tells the server that this page can show progress steps. */
  steps: (button) => button.setAttribute('value', 'shown'),
};

/** Handles clicks and keys by event delegation, so elements that are added later work too. */
export function startActs(): void {
  document.addEventListener('click', (event) => {
    const control = closest(event.target, '[data-act]');
    const act = acts[control?.dataset['act'] ?? ''];
    if (!control || !act || event.defaultPrevented) return;
    if (control instanceof HTMLAnchorElement) {
      if (opensElsewhere(event)) return;
      event.preventDefault();
    }
    act(control);
  });
  for (const type of ['pointerover', 'focusin']) {
    document.addEventListener(type, ({ target }) => {
      const link = closest(target, '[data-island]');
      if (link) fetchScripts(link.dataset['island']).catch(() => {});
    });
  }
}

const openMenus = 'details[data-menu][open]';

/**
 * Closes a menu (a `details` element) on Escape, on a press outside, and on a press on one of its
 * links.
 */
export function startMenus(): void {
  document.addEventListener('keydown', ({ key }) => {
    const menu = key === 'Escape' && document.querySelector<HTMLDetailsElement>(openMenus);
    if (!menu) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
  document.addEventListener('pointerdown', ({ target }) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>(openMenus)) {
      if (!(target instanceof Node && menu.contains(target))) menu.open = false;
    }
  });
  // Closes the menu of a clicked link, since the page may stay, or return from the back/forward
  // cache.
  document.addEventListener('click', ({ target }) => {
    const menu = closest(target, 'a') && closest(target, openMenus);
    if (menu instanceof HTMLDetailsElement) menu.open = false;
  });
}

/** Focuses the visible search box when `/` is pressed, unless the user is typing in a field. */
export function startSlash(): void {
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.defaultPrevented || isTypedIn(event.target)) return;
    const boxes = document.querySelectorAll<HTMLInputElement>('input[aria-keyshortcuts="/"]');
    const seen = [...boxes].find((input) => input.getClientRects().length > 0);
    if (!seen) return;
    event.preventDefault();
    seen.focus();
    seen.select();
  });
}

function isTypedIn(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, dialog[open]') !== null)
  );
}

const topShownBeyond = 300; // pixels

/**
 * Shows the back-to-top button once the page is scrolled. Shows a deal's bar while the deal's
 * button is out of view.
 */
export function startFloating(): void {
  const update = () => {
    const button = document.querySelector<HTMLElement>('[data-act="top"]');
    if (button) button.hidden = scrollY <= topShownBeyond;
  };
  addEventListener('scroll', update, { passive: true });
  update();
  const bar = document.querySelector<HTMLElement>('[data-stands-in]');
  const button = document.querySelector('[data-stood-for]');
  if (!bar || !button) return;
  new IntersectionObserver((entries) => {
    bar.hidden = entries.at(-1)?.isIntersecting !== false;
  }).observe(button);
}

/**
 * Shows the fallback of a picture that fails to load. Some have failed before any script could
 * listen.
 */
export function startPictures(): void {
  const show = (picture: EventTarget | null) => {
    if (!(picture instanceof HTMLImageElement) || picture.dataset['instead'] === undefined) return;
    picture.hidden = true;
    const instead = (picture.closest('picture') ?? picture).nextElementSibling;
    if (instead instanceof HTMLElement) instead.hidden = false;
  };
  addEventListener('error', ({ target }) => show(target), true);
  for (const picture of document.querySelectorAll<HTMLImageElement>('img[data-instead]')) {
    // An SVG may have no width.
    if (picture.complete && picture.naturalWidth === 0 && picture.currentSrc) {
      picture.decode().catch(() => show(picture));
    }
  }
}

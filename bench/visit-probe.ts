/**
 * The element to wait for, and the event that starts the timer. Without an event, the timer starts
 * now.
 */
export interface Sought {
  since?: 'click' | 'keydown';
  path: string;
  selector: string;
  text?: string;
  /** The text that the focused field must contain. */
  typed?: string;
}

/**
 * Runs in every document of a visit before its own scripts. Stores times in the session storage for
 * the next document: `start` and `seen` in milliseconds since 1970, `alive` in milliseconds since
 * the navigation began.
 */
export function probePage(isPressing: boolean): void {
  if (location.protocol === 'about:') return;
  const clock = (time = performance.now()) => performance.timeOrigin + time;
  const noteOnce = (name: string, value: unknown) => {
    if (sessionStorage.getItem(name) === null) sessionStorage.setItem(name, String(value));
  };
  const soughtNow = (): Sought | null => JSON.parse(sessionStorage.getItem('sought') ?? 'null');

  const isThere = ({ path, selector, text = '', typed }: Sought) => {
    const field = document.activeElement;
    if (location.pathname !== path) return false;
    if (typed && !(field instanceof HTMLInputElement && field.value === typed)) return false;
    return [...document.querySelectorAll(selector)].some(
      (element) => element.textContent.includes(text) && element.checkVisibility(),
    );
  };
  const look = () => {
    const sought = soughtNow();
    if (!sought) return;
    if (!isThere(sought)) return void requestAnimationFrame(look);
    // Runs when the browser paints the frame that shows the element, before other tasks.
    const note = () => {
      noteOnce('seen', clock());
      sessionStorage.removeItem('sought');
    };
    void scheduler.postTask(note, { priority: 'user-blocking' });
  };
  look();
  addEventListener('seek', look);
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    sessionStorage.setItem('restored', 'yes');
    look();
  });
  for (const type of ['click', 'keydown']) {
    const begin = ({ timeStamp }: Event) => {
      if (soughtNow()?.since === type) noteOnce('start', clock(timeStamp));
    };
    addEventListener(type, begin, { capture: true });
  }

  const isDark = () => document.documentElement.classList.contains('dark');
  let wasDark: boolean | undefined;
  const press = () => {
    const button = document.querySelector<HTMLElement>('[aria-label^="Switch between light"]');
    if (button) {
      wasDark ??= isDark();
      if (isDark() === wasDark) button.click();
      if (isDark() !== wasDark) return noteOnce('alive', performance.now());
    }
    setTimeout(press, 20);
  };
  if (isPressing) press();
}

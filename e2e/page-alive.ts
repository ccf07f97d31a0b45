import type { Page } from 'playwright-core';

/** Opens an address and waits until its page is hydrated. */
export async function openHydrated(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await untilHydrated(page);
}

export async function reloadHydrated(page: Page): Promise<void> {
  await page.reload();
  await untilHydrated(page);
}

/**
 * Waits until every control of the page works. The page itself marks when its delegated handlers
 * run; an island hydrates on interaction. If the whole page is an application, parts of it may
 * hydrate later: React sets properties on each of their elements. Parts without React (the post
 * editor, toasts) do not count.
 */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    if (document.documentElement.dataset.alive === undefined) return false;
    if (!('__reactRouterContext' in window)) return true;
    const controls = [...document.querySelectorAll('button, input, select, textarea, form')];
    return controls.every(
      (control) =>
        control.closest('[contenteditable], [data-toasts], [data-connection], deal-island') !==
          null || Object.keys(control).some((key) => key.startsWith('__reactProps')),
    );
  });
  // The last effects are queued behind this call. Frames and timers are not used, because a test
  // may have stopped the clock.
  await page.evaluate(
    () =>
      new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', done);
        port1.start();
        port2.postMessage(null);
      }),
  );
}

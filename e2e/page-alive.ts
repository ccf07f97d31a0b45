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
 * Waits until every control on the page works. The page sets a flag when its delegated handlers
 * run; islands hydrate on interaction. Parts of a page that React renders as a whole may hydrate
 * later, when React sets properties on their elements. Parts without React (the post editor,
 * toasts) are ignored.
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
  // Waits for a message, which arrives after the last queued effects. Frames and timers would not
  // work if a test has stopped the clock.
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

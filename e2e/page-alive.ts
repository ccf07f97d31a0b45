import type { Page } from 'playwright-core';

/** Opens an address and waits until its page answers. */
export async function openAlive(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await untilAlive(page);
}

export async function reloadAlive(page: Page): Promise<void> {
  await page.reload();
  await untilAlive(page);
}

/**
 * Until every control of the page answers. The page says so itself of what hears for the whole of it; an island wakes when
 * it is touched. Where the page is an application as a whole, parts of it may come to life later: their mark is React's, the
 * properties that it sets on each element. What React did not make (the editor of posts, toasts) is no part of it.
 */
export async function untilAlive(page: Page): Promise<void> {
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
  // The last effects are queued behind it. No frame and no timer is asked: a journey may have stopped the clock.
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

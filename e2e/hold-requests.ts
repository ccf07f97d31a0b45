import type { Page } from 'playwright-core';

/** Holds the page's requests to matching URLs until they are released. */
export async function holdRequests(page: Page, addresses: RegExp): Promise<() => void> {
  const freed = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await freed.promise;
    await route.fallback().catch(() => {}); // The browser may have left the page in the meantime.
  });
  return freed.resolve;
}

import type { Page } from 'playwright-core';

/** Holds back what the page asks for at these addresses, until it is let go. */
export async function holdRequests(page: Page, addresses: RegExp): Promise<() => void> {
  const freed = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await freed.promise;
    await route.fallback().catch(() => {}); // the page may have left meanwhile
  });
  return freed.resolve;
}

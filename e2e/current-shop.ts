import { afterAll, beforeAll, inject } from 'vitest';
import { type DemoSite, startDemoSite } from '#test/demo-site.ts';

export type Shop = Pick<DemoSite, 'origin' | 'folder'>;

let own: DemoSite | undefined;

/** Where the journeys of this file happen: the shop that all share, or one of their own. */
export function currentShop(): Shop {
  return own ?? { origin: inject('origin'), folder: inject('dataFolder') };
}

/**
 * Gives a file a demo shop of its own. Whoever changes deals or posts needs one: a journey beside it in the shared shop
 * may have chosen the very deal that is being deleted.
 */
export function useOwnShop(): void {
  beforeAll(async () => {
    own = await startDemoSite();
  });
  afterAll(async () => {
    await own?.stop();
    own = undefined;
  });
}

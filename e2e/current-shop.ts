import { afterAll, beforeAll, inject } from 'vitest';
import { type DemoSite, startDemoSite } from '#test/demo-site.ts';

let own: DemoSite | undefined;

/** Where the journeys of this file happen: the shop that all share, or one of their own. */
export function currentShop(): Pick<DemoSite, 'origin' | 'folder'> {
  return own ?? { origin: inject('origin'), folder: inject('dataFolder') };
}

/**
 * Gives a file a shop of its own, with settings on top of the demo's. Whoever changes deals or posts needs one: a
 * journey beside it in the shared shop may have chosen the very deal that is being deleted. Answers how to reach it
 * once it runs; every helper of journeys goes there by itself.
 */
export function useOwnShop(settings: () => Record<string, string> = () => ({})): () => DemoSite {
  beforeAll(async () => {
    const wanted = settings();
    own = await startDemoSite(wanted, wanted.SEED === 'none' ? undefined : inject('filledShop'));
  });
  afterAll(async () => {
    await own?.stop();
    own = undefined;
  });
  return () => {
    if (!own) throw new Error('The shop of this file does not run yet.');
    return own;
  };
}

/** One that its owner has still to fill. */
export const emptyShop = () => ({ SEED: 'none' });

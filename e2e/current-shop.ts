import { afterAll, beforeAll, inject } from 'vitest';
import { type DemoSite, startDemoSite } from '#test/demo-site.ts';
import { createShopDatabase } from './shop-database.ts';

interface Shop extends Pick<DemoSite, 'origin' | 'folder'> {
  /** The address of its database; null means the private one in its folder. */
  database: string | null;
}

interface OwnShop extends Shop, DemoSite {}

let own: OwnShop | undefined;

/** Where the journeys of this file happen: the shop that all share, or one of their own. */
export function currentShop(): Shop {
  return (
    own ?? {
      origin: inject('origin'),
      folder: inject('dataFolder'),
      database: inject('shopDatabase'),
    }
  );
}

/**
 * Gives a file a shop of its own, with settings on top of the demo's. Whoever changes deals or posts needs one: a
 * journey beside it in the shared shop may have chosen the very deal that is being deleted. Answers how to reach it
 * once it runs; every helper of journeys goes there by itself. A shop that `isEmbedded` starts from nothing, with a
 * PostgreSQL of its own, as on a new machine; all others are copies on one server.
 */
export function useOwnShop(
  settings: () => Record<string, string> = () => ({}),
  { isEmbedded = false } = {},
): () => DemoSite {
  beforeAll(async () => {
    own = isEmbedded ? await startEmbedded(settings()) : await startCopy(settings());
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

async function startEmbedded(settings: Record<string, string>): Promise<OwnShop> {
  return { ...(await startDemoSite(settings)), database: null };
}

async function startCopy(settings: Record<string, string>): Promise<OwnShop> {
  const database = await createShopDatabase(settings.SEED === 'none' ? 'migrated' : 'filled');
  const site = await startDemoSite({ DATABASE_URL: database.url, ...settings });
  return {
    ...site,
    database: database.url,
    async stop() {
      await site.stop();
      await database.drop();
    },
  };
}

/** One that its owner has still to fill. */
export const emptyShop = () => ({ SEED: 'none' });

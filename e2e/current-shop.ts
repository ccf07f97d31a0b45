import { afterAll, beforeAll, inject } from 'vitest';
import { type DemoSite, startDemoSite } from '#test/demo-site.ts';
import { createShopDatabase } from './shop-database.ts';

interface Shop extends Pick<DemoSite, 'origin' | 'folder'> {
  /** The URL of the shop's database, or null for a private database in the shop's folder. */
  database: string | null;
}

interface OwnShop extends Shop, DemoSite {}

let own: OwnShop | undefined;

/** Returns the shop for this file's tests: the shared one or a separate one. */
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
 * Gives a test file its own shop, with settings in addition to the demo's. Files that change deals
 * or posts need one, because parallel tests in the shared shop may use the same rows. Returns the
 * shop's address once it is running; all test helpers then use it. With `isEmbedded`, the shop
 * starts empty with its own PostgreSQL, as on a new server. All others are copies on one database
 * server.
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
    if (!own) throw new Error('The shop of this file is not running yet.');
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

/** Settings of a shop that is not set up yet. */
export const emptyShop = () => ({ SEED: 'none' });

import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { fillAdmin, type Things } from './admin-screens.ts';
import { emptyShop, useOwnShop } from './current-shop.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';

interface AdminShop {
  readonly things: Things;
  /** Opens a page as a new staff member on every call. */
  staff(options?: BrowserContextOptions): Promise<Page>;
}

/** Opens a separate shop with staff and one row of every kind. */
export function adminShop(name: string): AdminShop {
  const shop = useOwnShop(emptyShop);
  const browser = useBrowser();
  let things: Things;
  beforeAll(async () => {
    things = await withShopDatabase((db) => fillAdmin(db, shop().folder));
  });

  return {
    get things() {
      return things;
    },
    async staff(options = {}) {
      const { page } = await browser.visit({
        reducedMotion: 'reduce',
        ...options,
      });
      await openStaffSession(page.context(), name);
      return page;
    },
  };
}

import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { fillOffice, type Things } from './admin-screens.ts';
import { emptyShop, useOwnShop } from './current-shop.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';

interface Office {
  readonly things: Things;
  /** A page of a staff member, another one each time. */
  staff(options?: BrowserContextOptions): Promise<Page>;
}

/** A shop of the test file's own that has one of everything, and staff to work in it. */
export function officeShop(name: string): Office {
  const shop = useOwnShop(emptyShop);
  const browser = useBrowser();
  let things: Things;
  beforeAll(async () => {
    things = await withShopDatabase((db) => fillOffice(db, shop().folder));
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

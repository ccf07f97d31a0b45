import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type DemoSite, startDemoSite } from '#test/demo-site.ts';
import { fillOffice, type Things } from './admin-screens.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';

interface Office {
  readonly site: DemoSite;
  readonly things: Things;
  /** A page of somebody of the staff, another one each time. */
  staff(options?: BrowserContextOptions): Promise<Page>;
}

/** A shop of the test file's own that has one of everything, and staff to work in it. */
export function officeShop(name: string): Office {
  const browser = useBrowser();
  let site: DemoSite;
  let things: Things;
  beforeAll(async () => {
    site = await startDemoSite({ SEED: 'none' });
    things = await withShopDatabase((db) => fillOffice(db, site.folder), site);
  }, 90_000);
  afterAll(() => site?.stop());

  let staffCount = 0;
  return {
    get site() {
      return site;
    },
    get things() {
      return things;
    },
    async staff(options = {}) {
      const { page } = await browser.visit({
        baseURL: site.origin,
        reducedMotion: 'reduce',
        ...options,
      });
      await openStaffSession(page.context(), `${name}-${(staffCount += 1)}`, site);
      return page;
    },
  };
}

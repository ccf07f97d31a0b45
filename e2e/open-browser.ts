import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { currentShop } from './current-shop.ts';

export interface Visitor {
  page: Page;
  /** Everything the browser complained about: errors of scripts, refusals of the content policy. */
  complaints: string[];
}

/** Gives a file of journeys its browser. `npm test` finds Chromium and names it in CHROMIUM_PATH. */
export function useBrowser(): { visit(options?: BrowserContextOptions): Promise<Visitor> } {
  let browser: Browser;
  beforeAll(async () => {
    const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath, args });
  });
  afterAll(() => browser.close());
  return {
    async visit(options = {}) {
      const context = await browser.newContext({ baseURL: currentShop().origin, ...options });
      context.setDefaultTimeout(60_000); // "never", not "slow" (decision 023)
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      return { page, complaints };
    },
  };
}

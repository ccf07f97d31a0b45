import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { currentShop } from './current-shop.ts';

export interface Visitor {
  page: Page;
  /** Everything the browser complained about: errors of scripts, refusals of the content policy. */
  complaints: string[];
}

type Kind = 'light' | 'whole' | 'keepsPages';

/** The browsers of this process, which all its files of journeys share; they end with it. */
const browsers = new Map<Kind, Promise<Browser>>();

/**
 * Gives a file of journeys its browser. `npm test` finds Chromium and names it in CHROMIUM_PATH; one that `isWhole` shows
 * notifications, and one that `keepsPages` goes back as browsers do, which Playwright switches off. Each test has contexts
 * of its own: what a test opened is closed at its end; what was opened before the tests stays for all of the file.
 */
export function useBrowser({ isWhole = false, keepsPages = false } = {}): {
  visit(options?: BrowserContextOptions): Promise<Visitor>;
} {
  let browser: Browser;
  const open = new Set<BrowserContext>();
  const close = async (contexts: BrowserContext[]) => {
    for (const context of contexts) {
      open.delete(context);
      await context.close();
    }
  };
  let before = new Set<BrowserContext>();
  beforeAll(async () => {
    browser = await openBrowser(keepsPages ? 'keepsPages' : isWhole ? 'whole' : 'light');
  });
  beforeEach(() => {
    before = new Set(open);
  });
  afterEach(async ({ task }) => {
    if (task.concurrent) return; // others are still at work in theirs
    await close([...open].filter((context) => !before.has(context)));
  });
  afterAll(() => close([...open]));
  return {
    async visit(options = {}) {
      const context = await browser.newContext({ baseURL: currentShop().origin, ...options });
      open.add(context);
      context.setDefaultTimeout(60_000); // "never", not "slow" (decision 023)
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => {
        // What a navigation overtook: the router hears the answer's value and nobody its end (`decoded.done` in its
        // single-fetch.js), so the end that was aborted is told to the console. Nothing is lost by it.
        if (error.name === 'AbortError') return;
        // The browser gave up fading from one page to the next, which came all the same.
        if (error.message.startsWith('Transition was')) return;
        complaints.push(error.message);
      });
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      return { page, complaints };
    },
  };
}

async function openBrowser(kind: Kind): Promise<Browser> {
  const running = await browsers.get(kind);
  if (running?.isConnected()) return running;
  const fresh = launch(kind);
  browsers.set(kind, fresh);
  return fresh;
}

function launch(kind: Kind): Promise<Browser> {
  const { CHROMIUM_PATH = '/usr/bin/chromium', WHOLE_CHROMIUM_PATH = CHROMIUM_PATH } = process.env;
  const executablePath = kind === 'light' ? CHROMIUM_PATH : WHOLE_CHROMIUM_PATH;
  // No machine of ours has a graphics card: its process would only cost time. Debian's launcher of the whole Chromium
  // asks for rasterization by the card.
  const args = ['--disable-gpu', '--in-process-gpu'];
  args.push('--disable-gpu-rasterization', '--disable-gpu-compositing');
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  const ignoreDefaultArgs = kind === 'keepsPages' ? ['--disable-back-forward-cache'] : [];
  return chromium.launch({ executablePath, args, ignoreDefaultArgs });
}

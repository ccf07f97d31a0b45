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
  /** All errors that the browser reported: script errors, violations of the content policy. */
  complaints: string[];
}

interface Wishes {
  /** Uses a complete Chromium, which can show notifications. */
  isWhole?: boolean;
  /** Enables the back/forward cache, which Playwright switches off. */
  hasPageCache?: boolean;
  /** Loads pictures, which take a quarter of a page's CPU time. */
  showsPictures?: boolean;
  /** Always uses new contexts: Playwright leaves the script of a clock in a reused one. */
  startsAnew?: boolean;
}

/**
 * The browsers of this process by their options. All test files share them until the process ends.
 */
const browsers = new Map<string, Promise<Browser>>();

/**
 * Playwright's own runner calls both under PW_TEST_REUSE_CONTEXT; the types do not include them.
 */
const newContextForReuse = '_newContextForReuse';
const disconnectFromReusedContext = '_disconnectFromReusedContext';
interface ReusingBrowser {
  [newContextForReuse](options: BrowserContextOptions): Promise<BrowserContext>;
  [disconnectFromReusedContext](reason: string): Promise<void>;
}

/** Options that Playwright leaves unchanged in a reused context unless they are given. */
const defaults: BrowserContextOptions = {
  colorScheme: 'light',
  contrast: 'no-preference',
  forcedColors: 'none',
  reducedMotion: 'no-preference',
  viewport: { width: 1280, height: 720 },
};

const reusing = (browser: Browser) => browser as unknown as ReusingBrowser;

/**
 * Opens the browser of a test file. `npm test` finds Chromium and names it in CHROMIUM_PATH. Each
 * test has its own context, which is closed after the test; a context opened before the tests stays
 * for the whole file. The first context of a test is cleared and reused by the next test of the
 * file. A new context would start a process.
 */
export function useBrowser(wishes: Wishes = {}): {
  visit(options?: BrowserContextOptions): Promise<Visitor>;
} {
  let browser: Browser;
  const open = new Set<BrowserContext>();
  let reused: BrowserContext | undefined;
  let isTaken = false;
  let isTest = false;
  const close = async (contexts: BrowserContext[]) => {
    for (const context of contexts) {
      open.delete(context);
      if (context === reused) isTaken = false;
      else await context.close();
    }
  };
  let before = new Set<BrowserContext>();
  beforeAll(async () => {
    browser = await openBrowser(wishes);
  });
  beforeEach(({ task }) => {
    before = new Set(open);
    isTest = task.concurrent !== true;
  });
  afterEach(async ({ task }) => {
    if (task.concurrent) return; // Other tests still use their contexts.
    await close([...open].filter((context) => !before.has(context)));
  });
  afterAll(async () => {
    await close([...open]);
    await reused?.close();
  });
  const openContext = async (options: BrowserContextOptions) => {
    if (wishes.startsAnew || !isTest || isTaken) return browser.newContext(options);
    isTaken = true;
    // The context's routes and listeners end with the connection. Cookies, storage, cache, clock
    // and page are emptied.
    if (reused) await reusing(browser)[disconnectFromReusedContext]('The test ended.');
    reused = await reusing(browser)[newContextForReuse](options);
    return reused;
  };
  return {
    async visit(options = {}) {
      const { origin: baseURL } = currentShop();
      const context = await openContext({
        ...(!wishes.startsAnew && defaults),
        baseURL,
        ...options,
      });
      open.add(context);
      context.setDefaultTimeout(60_000); // The timeout only catches tests that hang, not slow ones.
      const page = context.pages()[0] ?? (await context.newPage());
      const complaints: string[] = [];
      page.on('pageerror', (error) => {
        // Caused by navigating during a request: the router never awaits the end of the response
        // (`decoded.done` in its single-fetch.js), so the console reports its abort. Nothing is
        // lost.
        if (error.name === 'AbortError') return;
        // The browser skipped the view transition, but the next page still loaded.
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

async function openBrowser(wishes: Wishes): Promise<Browser> {
  const { startsAnew: _, ...kind } = wishes;
  const key = JSON.stringify(kind);
  const running = await browsers.get(key);
  if (running?.isConnected()) return running;
  const fresh = launch(kind);
  browsers.set(key, fresh);
  return fresh;
}

function launch({
  isWhole,
  hasPageCache,
  showsPictures,
}: Omit<Wishes, 'startsAnew'>): Promise<Browser> {
  const { CHROMIUM_PATH = '/usr/bin/chromium', WHOLE_CHROMIUM_PATH = CHROMIUM_PATH } = process.env;
  // The headless Chromium has no back/forward cache.
  const executablePath = isWhole || hasPageCache ? WHOLE_CHROMIUM_PATH : CHROMIUM_PATH;
  // Servers have no graphics card, so its process would only cost time. Debian's launcher of the
  // complete Chromium requests rasterization by the card.
  const args = ['--disable-gpu', '--in-process-gpu'];
  args.push('--disable-gpu-rasterization', '--disable-gpu-compositing');
  // Pages live too briefly for optimized code to repay its compilation, or for V8's helper threads to help.
  args.push('--js-flags=--single-threaded,--no-turbofan,--no-maglev');
  // Playwright's own settings of a mouse, which a second `--blink-settings` would replace.
  const settings = ['primaryHoverType=2', 'availableHoverTypes=2', 'primaryPointerType=4'];
  settings.push('availablePointerTypes=4', `imagesEnabled=${showsPictures ?? false}`);
  args.push(`--blink-settings=${settings.join(',')}`);
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  const ignoreDefaultArgs = hasPageCache ? ['--disable-back-forward-cache'] : [];
  return chromium.launch({ executablePath, args, ignoreDefaultArgs });
}

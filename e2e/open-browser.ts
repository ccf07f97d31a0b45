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
  /**
   * All errors that the browser reported, such as script errors and violations of the content
   * policy.
   */
  complaints: string[];
}

interface Wishes {
  /** Uses full Chromium, which can show notifications. */
  isWhole?: boolean;
  /** Enables the back/forward cache, which Playwright disables. */
  hasPageCache?: boolean;
  /** Loads pictures, which take a quarter of a page's CPU time. */
  showsPictures?: boolean;
  /**
   * Always uses new contexts, because Playwright leaves the script of its fake clock in reused
   * ones.
   */
  startsAnew?: boolean;
}

/** The browsers of this process by option. All test files share them until the process ends. */
const browsers = new Map<string, Promise<Browser>>();

/**
 * Methods that Playwright's own runner calls under PW_TEST_REUSE_CONTEXT, and that its types omit.
 */
const newContextForReuse = '_newContextForReuse';
const disconnectFromReusedContext = '_disconnectFromReusedContext';
interface ReusingBrowser {
  [newContextForReuse](options: BrowserContextOptions): Promise<BrowserContext>;
  [disconnectFromReusedContext](reason: string): Promise<void>;
}

/** Options that Playwright keeps in a reused context unless they are given. */
const defaults: BrowserContextOptions = {
  colorScheme: 'light',
  contrast: 'no-preference',
  forcedColors: 'none',
  reducedMotion: 'no-preference',
  viewport: { width: 1280, height: 720 },
};

const reusing = (browser: Browser) => browser as unknown as ReusingBrowser;

/**
 * Opens the browser for a test file. `npm test` finds Chromium and sets CHROMIUM_PATH. Each test
 * has its own contexts, which are closed after the test; a context opened before the tests stays
 * open for the whole file. The first context of a test is cleared and reused by the next test,
 * because a new context would start a process.
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
    // and page are reset.
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
      context.setDefaultTimeout(60_000); // only for tests that hang
      const page = context.pages()[0] ?? (await context.newPage());
      const complaints: string[] = [];
      page.on('pageerror', (error) => {
        // Caused by navigation during a request. The router never awaits the end of the response
        // (`decoded.done` in its single-fetch.js), so the console reports that it was aborted. No
        // data is lost.
        if (error.name === 'AbortError') return;
        // The browser skipped the view transition, but loaded the next page.
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
  // Headless Chromium has no back/forward cache.
  const executablePath = isWhole || hasPageCache ? WHOLE_CHROMIUM_PATH : CHROMIUM_PATH;
  // Servers have no GPU, so a GPU process would only cost time. Debian's launcher of full Chromium
  // requests GPU rasterization.
  const args = ['--disable-gpu', '--in-process-gpu'];
  args.push('--disable-gpu-rasterization', '--disable-gpu-compositing');
  // Pages are too short-lived to benefit from optimizing compilers or V8's helper threads.
  args.push('--js-flags=--single-threaded,--no-turbofan,--no-maglev');
  // Playwright's own mouse settings, which a second `--blink-settings` would replace.
  const settings = ['primaryHoverType=2', 'availableHoverTypes=2', 'primaryPointerType=4'];
  settings.push('availablePointerTypes=4', `imagesEnabled=${showsPictures ?? false}`);
  args.push(`--blink-settings=${settings.join(',')}`);
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  const ignoreDefaultArgs = hasPageCache ? ['--disable-back-forward-cache'] : [];
  return chromium.launch({ executablePath, args, ignoreDefaultArgs });
}

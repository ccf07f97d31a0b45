import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { array, constantFrom, sample } from '#test/fast-check.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';
import { openHydrated, untilHydrated } from './page-alive.ts';

// `show-toast.ts` keeps its state in the document only, so tests can call it from outside the
// page's own script.

const browser = useBrowser({ startsAnew: true });
let code = '';
let page: Page;
let complaints: string[];

beforeAll(async () => {
  const entry = fileURLToPath(new URL('../app/ui/show-toast.ts', import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'toasts' } },
  });
  const [output] = [built].flat();
  if (output && 'output' in output) code = output.output[0].code;
});

/** Opens a page with a stopped clock. */
async function open(address = '/about'): Promise<void> {
  ({ page, complaints } = await browser.visit());
  await page.clock.install();
  await openHydrated(page, address);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
}

interface Said {
  kind?: 'info' | 'error';
  shownForMs?: number;
  act?: { label: string };
}

/** `acted` counts clicks on the toasts' buttons. */
async function say(text: string, options: Said = {}): Promise<void> {
  await page.evaluate(`
    ${code}
    window.acted ??= 0;
    const options = ${JSON.stringify(options)};
    if (options.act) options.act.onAct = () => { window.acted += 1; };
    toasts.showToast(${JSON.stringify(text)}, options);`);
}

const acted = () => page.evaluate('window.acted');
const toasts = () => page.locator('[data-toasts] > *');
const texts = () => page.locator('[data-toasts] > * > span').allTextContents();
const dismiss = (text: string) =>
  toasts().filter({ hasText: text }).getByRole('button', { name: 'Dismiss' }).click();

describe('a toast', () => {
  beforeEach(() => open());

  it('hides a toast after exactly six seconds', async () => {
    await say('Link copied to clipboard!');
    await page.clock.runFor(5_999);
    expect(await texts()).toEqual(['Link copied to clipboard!']);
    await page.clock.runFor(1);
    expect(await texts()).toEqual([]);
  });

  it('keeps an error toast until it is dismissed', async () => {
    await say('Failed to create price alert', { kind: 'error' });
    await page.clock.runFor(3_600_000);
    expect(await texts()).toEqual(['Failed to create price alert']);
    await dismiss('Failed');
    expect(await texts()).toEqual([]);
  });

  it('shows a toast for the requested time, for an action such as Undo', async () => {
    await say('Deleted', { shownForMs: 10_000, act: { label: 'Undo' } });
    await page.clock.runFor(9_999);
    expect(await toasts().getByRole('button').allTextContents()).toEqual(['Undo', '']);
    await page.clock.runFor(1);
    expect(await texts()).toEqual([]);
    expect(await acted()).toBe(0);
  });

  it('runs a toast’s action once and closes the toast', async () => {
    await say('Deleted', { act: { label: 'Undo' } });
    await toasts().getByRole('button', { name: 'Undo' }).click();
    expect([await acted(), await texts()]).toEqual([1, []]);
  });

  it('shows only a Dismiss button on a toast without an action', async () => {
    await say('Saved');
    expect(await toasts().getByRole('button').count()).toBe(1);
  });

  it('keeps other toasts when one is dismissed early', async () => {
    await say('Saved');
    await page.clock.runFor(3_000);
    await dismiss('Saved');
    await say('Saved');
    await page.clock.runFor(5_999);
    expect(await texts()).toEqual(['Saved']);
    await page.clock.runFor(1);
    expect(await texts()).toEqual([]);
  });

  it('shows only one toast for the same text, and restarts its timer', async () => {
    await say('Saved');
    await page.clock.runFor(5_000);
    await say('Saved');
    expect(await texts()).toEqual(['Saved']);
    await page.clock.runFor(5_999);
    expect(await texts()).toEqual(['Saved']);
    await page.clock.runFor(1);
    expect(await texts()).toEqual([]);
  });

  it('announces a toast as a status, shows the icon for its kind, and passes the accessibility audit', async () => {
    expect(await page.getByRole('status').and(page.locator('output')).count()).toBe(1);
    await say('Saved');
    await say('Not saved', { kind: 'error', act: { label: 'Try again' } });
    const marks = toasts().locator('> svg');
    const shown = await marks.evaluateAll((all) =>
      all.map((mark) => mark.getClientRects().length > 0),
    );
    // A triangle for errors, a check mark for everything else.
    expect(shown).toEqual([false, true, true, false]);
    await page.clock.resume(); // The audit needs a running clock.
    expect(await examine(page)).toEqual([]);
  });
});

describe('several toasts', () => {
  beforeEach(() => open());

  it('shows at most three toasts, and removes the oldest first', async () => {
    for (const text of ['one', 'two', 'three', 'four']) await say(text);
    expect(await texts()).toEqual(['two', 'three', 'four']);
  });

  it('dismisses toasts one by one, and keeps each one while others appear and disappear', async () => {
    await say('one');
    await say('two');
    const second = await toasts().nth(1).elementHandle();
    await dismiss('one');
    expect(await texts()).toEqual(['two']);
    await say('three');
    expect(await second?.evaluate((element) => element.isConnected)).toBe(true);
    await dismiss('two');
    expect(await texts()).toEqual(['three']);
  });

  it('never shows more than three toasts or the same one twice, regardless of the order of messages', async () => {
    const words = constantFrom('Saved', 'Deleted', 'Sent', 'Failed', 'Copied');
    const runs = sample(array(words, { minLength: 1, maxLength: 30 }), 100);
    const shown = (await page.evaluate(`
      ${code}
      ${JSON.stringify(runs)}.map((said) => {
        for (const text of said) toasts.showToast(text);
        return [...document.querySelectorAll('[data-toasts] > * > span')].map((words) => words.textContent);
      })`)) as string[][];
    for (const [n, said] of runs.entries()) {
      expect(shown[n]?.length).toBeLessThanOrEqual(3);
      expect(new Set(shown[n]).size).toBe(shown[n]?.length);
      expect(shown[n]?.at(-1)).toBe(said.at(-1));
    }
    expect(complaints).toEqual([]);
  });
});

test('keeps an earlier toast working on a page that hydrates as a whole', async () => {
  ({ page, complaints } = await browser.visit());
  await openStaffSession(page.context(), 'toast-staff');
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/hydrate-page-*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/admin/deals', { waitUntil: 'domcontentloaded' });
  await say('Said early', { kind: 'error' });
  held.resolve();
  await untilHydrated(page);
  expect(await texts()).toEqual(['Said early']);
  await page.getByRole('link', { name: 'Categories', exact: true }).click();
  await page.waitForURL('**/admin/categories');
  expect(await texts()).toEqual(['Said early']);
  await dismiss('Said early');
  expect(await texts()).toEqual([]);
  await say('Said later');
  expect(await texts()).toEqual(['Said later']);
  expect(complaints).toEqual([]);
});

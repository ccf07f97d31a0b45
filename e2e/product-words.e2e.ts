import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { backOfficeWords } from '#test/house/back-office-words.ts';
import { storefrontWords } from '#test/house/product-words.ts';
import { fillAdmin, screensOf } from './admin-screens.ts';
import { useOwnShop } from './current-shop.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { pageKinds } from './page-kinds.ts';

// Looks for the specification's texts on pages, on a desktop and on a phone. Each page is loaded
// once for both, without scripts, because the server renders all texts.

const shop = useOwnShop();
const browser = useBrowser();
const signedOut = ['/sign-in', '/sign-up', '/forgot-password', '/resend-verification'];
const signedIn = ['/profile', '/profile/two-factor', '/profile/passkeys', '/favorites'];

/** Texts that no test quotes, with the state in which each appears. */
const rare: Record<string, string> = {
  'Checking...': 'while the connection is checked',
  'Force Refresh All Data': 'offline',
  'No website': 'a merchant without an address',
  'Seeding...': 'while the demo shop is filled',
  'Error seeding data: {message}': 'the demo shop could not be filled',
  'Importing...': 'while the sample deals are imported',
};

const words = [
  ...new Set([...storefrontWords, ...backOfficeWords].flatMap((place) => place.words)),
].map((text) => ({ text, pattern: patternOf(text) }));
const onDesk = new Set<string>();
const onPhone = new Set<string>();
/** Texts that a page shows on a desktop but not on a phone. */
const hidden: string[] = [];

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\\?[’‘']/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/\s+/g, ' ');
}

function patternOf(text: string): RegExp {
  const escaped = plain(text).replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(escaped.replaceAll(/\{\w+\}/g, '.{1,80}?'));
}

/**
 * Returns the text of a page, including everything that a click reveals: collapsed parts, menus,
 * dialogs and options.
 */
function readPage(): string {
  for (const part of document.querySelectorAll('details')) {
    part.removeAttribute('name'); // Opening one part would close others with the same name.
    part.open = true;
  }
  for (const fold of document.querySelectorAll<HTMLInputElement>('[type=checkbox]:not([name])'))
    fold.checked = true;
  const opened = [...document.querySelectorAll('dialog, [popover], option')].map(
    (part) => part.textContent,
  );
  const fields = [
    ...document.querySelectorAll('[placeholder], [aria-label], input[type=submit]'),
  ].flatMap((field) =>
    field.checkVisibility()
      ? ['placeholder', 'aria-label', 'value'].map((name) => field.getAttribute(name))
      : [],
  );
  return [document.title, document.body.innerText, ...opened, ...fields].join('\n');
}

/**
 * Parts to skip: cards, which have their own tests, and bulk actions and shortcut keys, which
 * phones don't have.
 */
const leftOut =
  '.visually-hidden, article, kbd, form[aria-label^="Selected "], option, script, style, template';

/** Returns the texts in the page's content that are visible or can be opened. */
function readTexts(skipped: string): string[] {
  const texts = new Set<string>();
  const main = document.querySelector('main') ?? document.body;
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const part = walker.currentNode.parentElement;
    if (!part || part.closest(skipped)) continue;
    if (part.checkVisibility() || part.closest('dialog, [popover]'))
      texts.add(walker.currentNode.textContent?.trim() ?? '');
  }
  for (const cell of document.querySelectorAll('[data-label]'))
    texts.add(cell.getAttribute('data-label') ?? '');
  return [...texts];
}

/** Sort arrows, and the numbers and labels of the pager, look different on a phone. */
const deskOnly = /^(?:[\d↑↓]*|Next|Previous)$/;

async function readWords(page: Page, addresses: string[]): Promise<void> {
  for (const address of addresses) {
    await page.setViewportSize({ width: 1280, height: 900 });
    // Waits for stylesheets, because without them hidden texts would be read.
    await page.goto(address, { waitUntil: 'load' });
    const desk = plain(await page.evaluate(readPage));
    const seen = await page.evaluate(readTexts, leftOut);
    await page.setViewportSize({ width: 390, height: 900 });
    const phone = plain(await page.evaluate(readPage));
    const still = new Set(await page.evaluate(readTexts, leftOut));
    for (const text of seen)
      if (!still.has(text) && !deskOnly.test(text)) hidden.push(`${address}: ${text}`);
    for (const { text, pattern } of words) {
      if (pattern.test(desk)) onDesk.add(text);
      if (pattern.test(phone)) onPhone.add(text);
    }
  }
}

beforeAll(async () => {
  const things = await withShopDatabase((db) => fillAdmin(db, shop().folder));
  const guest = await browser.visit({ javaScriptEnabled: false });
  await readWords(guest.page, [...pageKinds().map(({ address }) => address), ...signedOut]);
  const staff = await browser.visit({ javaScriptEnabled: false });
  await openStaffSession(staff.page.context(), 'words', { role: 'super_admin' });
  await readWords(staff.page, [...signedIn, ...screensOf(things).map(({ address }) => address)]);
});

test('shows every text of the specification on a page, or quotes it in a test if its state is rare', () => {
  const root = path.resolve(import.meta.dirname, '..');
  const tests = globSync('{app,server,database,e2e}/**/*.{test,e2e}.{ts,tsx}', { cwd: root })
    .filter((file) => !file.endsWith(path.basename(import.meta.filename)))
    .map((file) => plain(readFileSync(path.join(root, file), 'utf8')))
    .join('\n');
  const isQuoted = (text: string) =>
    text.split(/\{\w+\}/).every((part) => tests.includes(plain(part).trim()));
  const missing = words.filter(({ text }) => !onDesk.has(text) && !isQuoted(text));
  expect(missing.map(({ text }) => text).toSorted()).toEqual(Object.keys(rare).toSorted());
});

test('shows every specification text that appears on a desktop on a phone as well', () => {
  expect([...onDesk].filter((text) => !onPhone.has(text))).toEqual([]);
  expect(onPhone.size).toBeGreaterThan(150);
});

test('shows every text of a desktop page on the same page on a phone', () => {
  expect(hidden).toEqual([]);
});

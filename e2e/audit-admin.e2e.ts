import { sql } from 'kysely';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { fillOffice, screensOf, type Things } from './admin-screens.ts';
import { emptyShop, useOwnShop } from './current-shop.ts';
import { everyLook, examine, type Look, openAndExamineIn, withoutIds } from './examine-page.ts';
import { sentFaults } from './html-faults.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';

// Every screen of the back office, in a shop of its own that has one of everything.

const shop = useOwnShop(emptyShop);
const browser = useBrowser();
let things: Things;
const states = {} as Record<'admin' | 'super_admin', BrowserContextOptions['storageState']>;

beforeAll(async () => {
  things = await withShopDatabase((db) => fillOffice(db, shop().folder));
  for (const role of ['admin', 'super_admin'] as const) {
    const { page } = await browser.visit();
    await openStaffSession(page.context(), `audit-${role}`, { role });
    states[role] = await page.context().storageState();
    await page.context().close();
  }
});

type Visit = Look & { role: 'admin' | 'super_admin' };

async function visit({ role, colorScheme, width }: Visit): Promise<Page> {
  const { page } = await browser.visit({
    storageState: states[role],
    colorScheme,
    reducedMotion: 'reduce',
    viewport: { width, height: 900 },
  });
  return page;
}

const light = { colorScheme: 'light' } as const;
const dark = { colorScheme: 'dark' } as const;
/** Admins see the same but for what they may not do with users: once in each theme, once at each width. */
const audits = [
  {
    role: 'super_admin',
    looks: everyLook,
  },
  {
    role: 'admin',
    looks: [
      { ...light, width: 1280 },
      { ...dark, width: 390 },
    ],
  },
] as const;

/** Each screen, and each frame around one, is examined once in each look, whoever sees it first. */
const seen = new Set<string>();

async function isSeen(page: Page, look: Look): Promise<boolean> {
  const parts = await page.evaluate(() => {
    const body = document.body.cloneNode(true) as HTMLElement;
    for (const script of body.querySelectorAll('script')) script.remove();
    const screen = body.querySelector('main')?.innerHTML ?? '';
    body.querySelector('main')?.replaceChildren();
    // Which of its links is the present one was seen with the screen.
    for (const link of body.querySelectorAll('a')) {
      for (const name of ['class', 'aria-current']) link.removeAttribute(name);
    }
    return [location.pathname + location.search + screen, body.innerHTML];
  });
  const keys = parts.map((part) => `${look.colorScheme} ${look.width} ${withoutIds(part)}`);
  const isKnown = keys.every((key) => seen.has(key));
  for (const key of keys) seen.add(key);
  return isKnown;
}

/** What is wrong with every screen, by look. */
async function audit({ role, looks }: (typeof audits)[number]): Promise<string[][]> {
  const page = await visit({ role, ...light, width: 1280 });
  const faults: string[][] = looks.map(() => []);
  for (const screen of screensOf(things)) {
    const kind = { name: screen.address, ...screen };
    for (const [n, found] of (await openAndExamineIn(looks, page, kind, isSeen)).entries()) {
      faults[n]?.push(...found.map((fault) => `${screen.address}: ${fault}`));
    }
  }
  await page.context().close();
  return faults;
}

// Two at a time: while one page loads, the other is examined.
describe.concurrent('every screen of the back office', () => {
  for (const one of audits) {
    let found: Promise<string[][]> | undefined;
    for (const [n, { colorScheme, width }] of one.looks.entries()) {
      test(
        `is sound for ${one.role}s, ${colorScheme}, ${width} pixels wide`,
        { timeout: 900_000 },
        async () => {
          found ??= audit(one);
          expect((await found)[n]).toEqual([]);
        },
      );
    }
  }

  for (const role of ['admin', 'super_admin'] as const) {
    test(`is valid HTML for ${role}s`, async () => {
      const page = await visit({ role, colorScheme: 'light', width: 1280 });
      const faults: string[] = [];
      for (const { address, status } of screensOf(things)) {
        const sent = await sentFaults(page, address);
        expect([address, sent.status]).toEqual([address, status]);
        faults.push(...sent.faults.map((fault) => `${address}: ${fault}`));
      }
      expect(faults).toEqual([]);
      await page.context().close();
    });
  }
});

describe('what opens on a screen', () => {
  test.each([
    { role: 'super_admin', colorScheme: 'light', width: 1280 },
    { role: 'super_admin', colorScheme: 'dark', width: 600 },
  ] as const)('is sound in the $colorScheme theme, $width pixels wide', async (look) => {
    const page = await visit(look);
    await page.goto('/admin/deals');
    await page.getByRole('checkbox', { name: 'Select Kettle 58' }).check();
    await page.getByText('1 deal selected').waitFor();
    expect(['the bar of a selection', await examine(page)]).toEqual(['the bar of a selection', []]);
    await page.getByRole('button', { name: 'Delete deals' }).click();
    await page.getByRole('dialog', { name: /delete 1 deal\?/ }).waitFor();
    expect(['a question', await examine(page)]).toEqual(['a question', []]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Actions for Kettle 58' }).click();
    expect(['the menu of a row', await examine(page)]).toEqual(['the menu of a row', []]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(['the keys', await examine(page)]).toEqual(['the keys', []]);
    await page.context().close();
  });

  test.each(['light', 'dark'] as const)('the drawer of a phone, too, %s', async (colorScheme) => {
    const page = await visit({ role: 'admin', colorScheme, width: 390 });
    await page.goto('/admin/users');
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('link', { name: 'Mail outbox' }).waitFor();
    expect(await examine(page)).toEqual([]);
    await page.context().close();
  });
});

test('a list that cannot be read says so on its screen, and Retry brings it, with script and without', async () => {
  const rename = (from: string, to: string) =>
    withShopDatabase((db) =>
      sql`alter table ${sql.ref(from)} rename to ${sql.ref(to)}`.execute(db),
    );
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await browser.visit({
      storageState: states.admin,
      javaScriptEnabled,
      viewport: { width: 390, height: 844 },
    });
    await page.goto('/admin');
    await rename('contact_messages', 'messages_away');
    try {
      await page.goto('/admin/users');
      await page.goto('/admin/messages?q=price');
      await page.getByRole('heading', { name: 'Error loading messages: ' }).waitFor();
      const faults = javaScriptEnabled ? await examine(page) : [];
      expect(faults).toEqual([]);
      const reference = page.getByRole('alert').locator('code');
      const failed = await reference.innerText();
      await page.getByRole('button', { name: 'Retry' }).click();
      // Only another reference says that it was asked again.
      await expect.poll(() => reference.innerText()).not.toBe(failed);
    } finally {
      await rename('messages_away', 'contact_messages');
    }
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Showing 1 message').waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('price');
    await page.context().close();
  }
});

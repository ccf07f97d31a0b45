import { sql } from 'kysely';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { fillAdmin, ownerScreens, screensOf, type Things } from './admin-screens.ts';
import { emptyShop, useOwnShop } from './current-shop.ts';
import {
  everyLook,
  examine,
  isExamined,
  type Variant,
  openAndExamineSent,
  type Seen,
} from './examine-page.ts';
import { htmlFaults } from './html-faults.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';

// Audits every screen of the admin, in a separate shop that contains one of everything.

const shop = useOwnShop(emptyShop);
const browser = useBrowser({ showsPictures: true });
let things: Things;
const states = {} as Record<'admin' | 'super_admin', BrowserContextOptions['storageState']>;

beforeAll(async () => {
  things = await withShopDatabase((db) => fillAdmin(db, shop().folder));
  for (const role of ['admin', 'super_admin'] as const) {
    const { page } = await browser.visit();
    await openStaffSession(page.context(), `audit-${role}`, { role });
    states[role] = await page.context().storageState();
    await page.context().close();
  }
});

type Visit = Variant & { role: 'admin' | 'super_admin' };

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
/**
 * The audited roles. Admins see the same screens, except for some actions on users, so fewer looks
 * suffice.
 */
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

const [{ role: firstRole }] = audits;

/** Each screen and each layout is audited once per look, for the first role that sees it. */
const seen: Seen = new Set();

interface Audit {
  /** The faults of every screen, by theme and width. */
  found: string[][];
  /** The faults of the server's HTML. */
  sent: string[];
}

/** Audits two pages concurrently: one loads while the other is audited. */
async function audit(one: (typeof audits)[number]): Promise<Audit> {
  const isOwner = one.role === 'super_admin';
  const screens = screensOf(things).filter(
    ({ address }) => isOwner || !ownerScreens.includes(address),
  );
  const half = Math.ceil(screens.length / 2);
  const halves = [screens.slice(0, half), screens.slice(half)];
  const done = await Promise.all(halves.map((some) => auditSome(one, some)));
  return {
    found: one.looks.map((_look, n) => done.flatMap(({ found }) => found[n] ?? [])),
    sent: done.flatMap(({ sent }) => sent),
  };
}

async function auditSome(
  { role, looks }: (typeof audits)[number],
  screens: ReturnType<typeof screensOf>,
): Promise<Audit> {
  const page = await visit({ role, ...light, width: 1280 });
  const found: string[][] = looks.map(() => []);
  const sent: string[] = [];
  for (const screen of screens) {
    let html = role === firstRole ? null : await readExamined(page, screen, looks);
    if (html === null) {
      const kind = { name: screen.address, ...screen };
      const opened = await openAndExamineSent(looks, page, kind, seen);
      html = opened.html;
      for (const [n, faults] of opened.found.entries()) {
        found[n]?.push(...faults.map((fault) => `${screen.address}: ${fault}`));
      }
    }
    sent.push(...(await htmlFaults(html)).map((fault) => `${screen.address}: ${fault}`));
  }
  await page.context().close();
  return { found, sent };
}

/**
 * Returns the server's HTML at an address if it was already audited for the first role, otherwise
 * null.
 */
async function readExamined(
  page: Page,
  { address, status }: { address: string; status: number },
  looks: readonly Variant[],
): Promise<string | null> {
  // Uses a new connection, because an old one may have been closed in the meantime.
  const headers = { connection: 'close' };
  const answer = await page.context().request.get(address, { headers });
  const html = await answer.text();
  return answer.status() === status && isExamined(html, address, looks, seen) ? html : null;
}

describe('every screen of the admin', () => {
  for (const one of audits) {
    let running: Promise<Audit> | undefined;
    // Tests run in order, role by role, so the second role only audits pages that differ.
    const result = () => {
      running ??= audit(one);
      return running;
    };
    for (const [n, { colorScheme, width }] of one.looks.entries()) {
      test(
        `passes the audit of every admin screen for ${one.role}s, ${colorScheme}, ${width} pixels wide`,
        { timeout: 900_000 },
        async () => {
          expect((await result()).found[n]).toEqual([]);
        },
      );
    }
    test(
      `serves valid HTML on every admin screen for ${one.role}s`,
      { timeout: 900_000 },
      async () => {
        expect((await result()).sent).toEqual([]);
      },
    );
  }
});

describe('the dialogs and menus of a screen', () => {
  test.each([
    { role: 'super_admin', colorScheme: 'light', width: 1280 },
    { role: 'super_admin', colorScheme: 'dark', width: 600 },
  ] as const)(
    'passes the audit of dialogs and menus in the $colorScheme theme, $width pixels wide',
    async (look) => {
      const page = await visit(look);
      await page.goto('/admin/deals');
      await page.getByRole('checkbox', { name: 'Select Kettle 58' }).check();
      await page.getByText('1 deal selected').waitFor();
      expect(['the bar of a selection', await examine(page)]).toEqual([
        'the bar of a selection',
        [],
      ]);
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
    },
  );

  test.each(['light', 'dark'] as const)(
    'passes the audit with the drawer open on a phone, %s',
    async (colorScheme) => {
      const page = await visit({ role: 'admin', colorScheme, width: 390 });
      await page.goto('/admin/users');
      await page.getByRole('button', { name: 'Open the menu' }).click();
      await page.getByRole('link', { name: 'Mail outbox' }).waitFor();
      expect(await examine(page)).toEqual([]);
      await page.context().close();
    },
  );
});

test('shows an error if a list cannot be read, and loads it on Retry, with and without JavaScript', async () => {
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
      // A different error reference proves that the list was requested again.
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

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Role } from '#database/schema/account-tables.ts';
import { defineDeadControls, findDeadControls, formTargets } from './dead-controls.ts';
import { everyLook, examineIn, noteExamined, type Seen } from './examine-page.ts';
import { htmlFaults } from './html-faults.ts';
import { useBrowser, type Visitor } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';
import { pageKinds } from './page-kinds.ts';
import { routeExpressions, type RoutePage, routePages } from './route-pages.ts';

// Tests every page in routes.ts except the admin's, for every kind of visitor and in both themes.
// audit-pages and audit-account cover phones.

const browser = useBrowser();
const { pages } = routePages();
const addresses = routeExpressions();

it('detects dead controls on a page', async () => {
  const { page } = await browser.visit();
  await page.addInitScript(defineDeadControls);
  await page.goto('/about');
  expect(await findDeadControls(page)).toEqual([]);
  await page.evaluate(() => {
    document.querySelector('main')?.insertAdjacentHTML(
      'beforeend',
      `<a href="#">A</a><a>B</a><a href="#nowhere">C</a><a href="#main">fine</a>
       <button type="button">D</button><button popovertarget="nothing">E</button>
       <form method="post"><input name="a"></form><form><button>fine</button></form><input name="F">`,
    );
  });
  const faults = (await findDeadControls(page)).map((fault) => fault.split(':', 1)[0]);
  expect(faults).toEqual([
    'leads nowhere',
    'leads nowhere',
    'leads to no place on the page',
    'does nothing',
    'does nothing',
    'belongs to no form',
    'cannot be sent',
  ]);
});

type Caller = 'signed out' | Role;
const callers: readonly Caller[] = ['signed out', 'user', 'admin', 'super_admin'];
const width = 1280;
const bothThemes = everyLook.filter((look) => look.width === width);

/** Audits the accessibility and markup of each distinct page once. */
const seen: Seen = new Set();
/** audit-pages audits visitor pages in more themes and widths. */
const audited = new Set(pageKinds().map(({ address }) => address));

describe.concurrent('every page', () => {
  it.for(callers)(
    'hydrates every page and passes the audit for: %s',
    { timeout: 900_000 },
    async (caller) => {
      const visitor = await browser.visit({
        viewport: { width, height: 900 },
        reducedMotion: 'reduce',
      });
      const { page } = visitor;
      await page.addInitScript(defineDeadControls);
      if (caller !== 'signed out') {
        await openStaffSession(page.context(), `walker-${caller}`, { role: caller });
      }
      const faults: string[] = [];
      for (const route of pages) {
        const found = await walkTo(visitor, route, caller);
        faults.push(...found.map((fault) => `${route.address}: ${fault}`));
      }
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );
});

async function walkTo(
  { page, complaints }: Visitor,
  route: RoutePage,
  caller: Caller,
): Promise<string[]> {
  const wanted = caller === 'signed out' ? route.signedOut : route.signedIn;
  const answer = await page.goto(route.address, { waitUntil: 'load' });
  const faults: string[] = [];
  if (typeof wanted === 'string') {
    // The redirect's target is visited separately.
    const { pathname } = new URL(page.url());
    if (pathname !== wanted) faults.push(`leads to ${pathname}, not ${wanted}`);
  } else {
    if (answer?.status() !== wanted) faults.push(`answers ${answer?.status()}, not ${wanted}`);
    faults.push(...(await lookAt(page, route.address, caller)));
    faults.push(...(await htmlFaults((await answer?.text()) ?? '')));
  }
  const expected = typeof wanted === 'number' && wanted >= 400 ? `a status of ${wanted}` : null;
  if (expected !== null) await untilReported(page, complaints, expected);
  const said = complaints.splice(0);
  faults.push(...said.filter((text) => expected === null || !text.includes(expected)));
  return [...new Set(faults)];
}

/**
 * The browser may report a status late. A report after the audit would be attributed to the next
 * page.
 */
async function untilReported(page: Page, complaints: string[], expected: string): Promise<void> {
  if (complaints.some((text) => text.includes(expected))) return;
  await page.waitForEvent('console', (message) => message.text().includes(expected));
}

async function lookAt(page: Page, address: string, caller: Caller): Promise<string[]> {
  const faults: string[] = [];
  const { title, headings } = await page.evaluate(() => ({
    title: document.title,
    headings: document.querySelectorAll('h1').length,
  }));
  if (!title) faults.push('has no title');
  if (headings !== 1) faults.push(`has ${headings} headings of the first level`);
  faults.push(...(await findDeadControls(page)));
  for (const target of await formTargets(page)) {
    if (!addresses.some((expression) => expression.test(target))) {
      faults.push(`sends a form to ${target}, which is not an address of the site`);
    }
  }
  if (caller === 'signed out' && audited.has(address)) await noteExamined(page, bothThemes, seen);
  else faults.push(...(await examineIn(bothThemes, page, seen)).flat());
  return faults;
}

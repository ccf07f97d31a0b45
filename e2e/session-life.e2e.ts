import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { useBrowser } from './open-browser.ts';
import { openHydrated } from './page-alive.ts';

// Tests P9: an open page checks its session every 30 s, refreshes it when less than 300 s remain,
// and keeps it if a refresh fails.

const browser = useBrowser({ startsAnew: true });
let userId = '';
let page: Page;

beforeEach(async () => {
  ({ page } = await browser.visit());
  userId = await openStaffSession(page.context(), 'awake');
  await page.clock.install();
});

async function setEnd(seconds: number): Promise<void> {
  await withShopDatabase(async (db) => {
    await db
      .updateTable('sessions')
      .set({ expires_at: sql<Date>`now() + make_interval(secs => ${seconds})` })
      .where('user_id', '=', userId)
      .execute();
  });
}

/** Returns the remaining seconds of the session, from the database. */
async function secondsLeft(): Promise<number> {
  return withShopDatabase(async (db) => {
    const { rows } = await sql<{ left: number }>`
      select extract(epoch from expires_at - now())::float8 as left from sessions where user_id = ${userId}`.execute(
      db,
    );
    return rows[0]?.left ?? 0;
  });
}

/** Records the refreshes that the page requests. */
function watchRefreshes(): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/session'))
      asked.push(request.url());
  });
  return asked;
}

describe('the session of an open page', () => {
  it('does not refresh a session with more than 300 seconds left', async () => {
    await setEnd(3_600);
    const asked = watchRefreshes();
    await openHydrated(page, '/how-we-rank');
    await page.clock.runFor(120_000);
    expect(asked).toEqual([]);
    expect(await secondsLeft()).toBeLessThan(3_601);
  });

  it.each(['/how-we-rank', '/profile'])(
    'refreshes a session that ends within 300 seconds immediately on %s, and not again afterwards',
    async (address) => {
      await setEnd(250);
      const asked = watchRefreshes();
      await openHydrated(page, address);
      await expect.poll(() => asked.length).toBe(1);
      await expect.poll(() => secondsLeft()).toBeGreaterThan(11 * 3_600);
      await page.clock.runFor(90_000);
      expect(asked).toHaveLength(1);
    },
  );

  it('refreshes a session at the first check with less than 300 seconds left', async () => {
    await setEnd(345);
    const asked = watchRefreshes();
    await openHydrated(page, '/how-we-rank');
    await page.clock.runFor(29_000);
    expect(asked).toEqual([]);
    await page.clock.runFor(32_000); // At the check after 60 s, less than 300 s are left.
    await expect.poll(() => asked.length).toBe(1);
  });

  it('keeps the session if seven refresh attempts with increasing pauses fail', async () => {
    await setEnd(250);
    const asked = watchRefreshes();
    await page.route('**/api/session', (route) => route.abort());
    await page.addInitScript(countFailures);
    // Stops the clock, so that no pause ends while the page opens.
    await page.clock.pauseAt(Date.now() + 1_000);
    await page.goto('/how-we-rank');
    // Later requests also wait for the clock.
    for (let n = 0; n < 500 && asked.length === 0; n += 1) await page.clock.runFor(10);
    expect(asked).toHaveLength(1);
    for (const [n, pause] of [200, 400, 800, 1_600, 3_200, 6_400].entries()) {
      // A pause begins when the page receives the failure. Until then, the clock is stopped.
      await expect.poll(() => page.evaluate('window.failures')).toBe(n + 1);
      await page.clock.runFor(pause - 50);
      expect(asked).toHaveLength(n + 1);
      await page.clock.runFor(50);
      await expect.poll(() => asked.length).toBe(n + 2);
    }
    await page.locator('header summary', { hasText: 'awake-' }).waitFor();
    await page.unrouteAll();
    await page.clock.runFor(45_000); // The last pause ends, and the next check follows.
    await expect.poll(() => asked.length).toBeGreaterThan(7);
    await expect.poll(() => secondsLeft()).toBeGreaterThan(11 * 3_600);
  });

  describe('a session that was ended elsewhere', () => {
    /** Opens a page, ends its session, and does something before the page can notice. */
    async function openAndEnd(
      address: string,
      before: () => Promise<unknown> = async () => {},
    ): Promise<() => Promise<boolean>> {
      await setEnd(250);
      // The first attempt fails. Later ones wait until the session ends, however long the page
      // takes to open while its clock runs.
      const end = Promise.withResolvers<void>();
      let attempts = 0;
      await page.route('**/api/session', async (route) => {
        attempts += 1;
        if (attempts === 1) return route.abort();
        await end.promise;
        return route.continue();
      });
      await page.addInitScript(countFailures);
      await openHydrated(page, address);
      // The retry uses a timer, so the clock must not advance before the page has set it.
      await expect.poll(() => page.evaluate('window.failures')).toBe(1);
      const openedAt = await page.evaluate(() => performance.timeOrigin);
      await withShopDatabase(async (db) => {
        await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
      });
      await before();
      end.resolve();
      return async () => (await page.evaluate(() => performance.timeOrigin)) === openedAt;
    }
    const signIn = () => page.getByRole('link', { name: 'Sign In', exact: true });

    it('reloads a visitor page at its next check when the session was ended elsewhere', async () => {
      await openAndEnd('/how-we-rank');
      await page.clock.runFor(60_000);
      await signIn().waitFor();
      expect(new URL(page.url()).pathname).toBe('/how-we-rank');
    });

    it('does not reload a page on which the visitor has typed something', async () => {
      const message = page.locator('main').getByLabel('Message', { exact: true });
      const told: ReturnType<Page['waitForResponse']>[] = [];
      const isStill = await openAndEnd('/contact', async () => {
        await message.fill('It costs less at the store.');
        told.push(page.waitForResponse('**/api/session'));
      });
      await page.clock.runFor(60_000);
      expect((await told[0])?.status()).toBe(401);
      await page.clock.runFor(60_000);
      expect([await isStill(), await message.inputValue()]).toEqual([
        true,
        'It costs less at the store.',
      ]);
    });

    it('reports an ended session on an account page without a reload, and keeps the input', async () => {
      const email = page.locator('main').getByLabel('Email');
      const isStill = await openAndEnd('/resend-verification', () =>
        email.fill('ada@mail.example'),
      );
      await page.clock.runFor(60_000);
      await signIn().waitFor();
      expect([await isStill(), await email.inputValue()]).toEqual([true, 'ada@mail.example']);
    });

    it('links to sign-in from an account page when the session has ended', async () => {
      await openAndEnd('/profile');
      await page.clock.runFor(60_000);
      await page.waitForURL('**/sign-in?returnTo=%2Fprofile');
      await signIn().waitFor();
    });

    it('covers an admin page without a reload when the session has ended', async () => {
      const isStill = await openAndEnd('/admin');
      await page.clock.runFor(60_000);
      await page.getByRole('heading', { name: 'Authentication Required' }).waitFor();
      await signIn().waitFor();
      expect(await isStill()).toBe(true);
    });
  });

  it('does not request a session for a signed-out visitor', async () => {
    await page.context().clearCookies();
    const asked = watchRefreshes();
    await openHydrated(page, '/how-we-rank');
    await page.clock.runFor(120_000);
    expect(asked).toEqual([]);
  });
});

/**
 * A script that runs in the page. `failures` is the number of failed refreshes that the page's own
 * code has received.
 */
const countFailures = `
  window.failures = 0;
  const ask = window.fetch;
  window.fetch = (...asked) => {
    const answer = ask(...asked);
    answer.catch(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { window.failures += 1; };
      port2.postMessage(null); // runs after the callers that await the response
    });
    return answer;
  };`;

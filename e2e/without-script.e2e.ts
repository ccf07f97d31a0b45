import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from './open-browser.ts';
import { pageKinds } from './page-kinds.ts';

const browser = useBrowser();
const withoutScript = { javaScriptEnabled: false };

describe('without script', () => {
  it('applies, narrows and removes filters without JavaScript', async () => {
    const { page, complaints } = await browser.visit(withoutScript);
    await page.goto('/deals');
    const all = await countOf(page);
    await page.getByLabel('Deal Type').selectOption('coupon');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/\/deals\?(.*&)?type=coupon/);
    expect(await countOf(page)).toBeLessThan(all);
    expect(await page.getByLabel('Deal Type').inputValue()).toBe('coupon');
    await page.getByRole('link', { name: 'Remove filter Coupon deals' }).click();
    await page.waitForURL('**/deals');
    expect(await countOf(page)).toBe(all);
    expect(complaints).toEqual([]);
  });

  it('paginates a filtered list without JavaScript', async () => {
    const { page } = await browser.visit(withoutScript);
    await page.goto('/deals?type=coupon');
    const first = await titlesOf(page);
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.waitForURL('**/deals?type=coupon&page=2');
    const second = await titlesOf(page);
    expect(second.length).toBeGreaterThan(0);
    expect(second.filter((title) => first.includes(title))).toEqual([]);
  });

  it('shows search results without JavaScript, and sorts them through a form', async () => {
    const { page } = await browser.visit(withoutScript);
    await page.goto('/');
    await page.getByRole('combobox', { name: 'Search deals and stores' }).fill('desk');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deals?search=desk');
    await page.getByText(/^Found \d+ results?$/).waitFor();
    await page.getByLabel('Sort', { exact: true }).selectOption('price_low');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/sort=price_low/);
    expect(new URL(page.url()).searchParams.get('search')).toBe('desk');
    expect((await titlesOf(page)).length).toBeGreaterThan(1);
  });

  // If a page lacks its form's stylesheet, it shows the browser's own controls.
  it('styles each control the same on every page', async () => {
    // Narrower windows tighten the filter bar of a search to fit it in one row.
    const viewport = { width: 1600, height: 900 };
    const { page } = await browser.visit({ ...withoutScript, reducedMotion: 'reduce', viewport });
    const looks = new Map<string, { look: string; on: string }>();
    const differing: string[] = [];
    for (const { address } of pageKinds()) {
      await page.goto(address);
      for (const [control, look] of await looksOf(page)) {
        const known = looks.get(control) ?? { look, on: address };
        looks.set(control, known);
        if (known.look !== look)
          differing.push(`${control}: ${look} on ${address}, ${known.look} on ${known.on}`);
      }
    }
    expect(looks.size).toBeGreaterThan(5);
    expect(differing).toEqual([]);
  });

  it('shows a coupon code without JavaScript, but no copy button, which could not work', async () => {
    const { page } = await browser.visit(withoutScript);
    await page.goto('/deals?type=coupon');
    await page.locator('main article').getByRole('link').first().click();
    await page.waitForURL(/\/deals\/[a-z0-9-]+$/);
    const code = page.locator('main dl code').first();
    expect(await code.isVisible()).toBe(true);
    expect(await code.textContent()).toMatch(/^[A-Z0-9]{4,}$/);
    expect(await page.getByRole('button', { name: /Copy coupon code/ }).isVisible()).toBe(false);
  });

  it('opens the store with a plain link', async () => {
    const { page } = await browser.visit(withoutScript);
    await page.goto('/deals');
    await page.locator('main article').getByRole('link').first().click();
    await page.waitForURL(/\/deals\/[a-z0-9-]+$/);
    const way = page.getByRole('link', { name: /^Get This Deal/ }).first();
    const address = (await way.getAttribute('href')) ?? '';
    const answer = await page.request.get(address, { maxRedirects: 0 });
    expect(answer.status()).toBe(302);
    expect(answer.headers().location).toMatch(/^https:\/\//);
  });

  it('uses the system’s theme without JavaScript, and hides the theme switch', async () => {
    const backgrounds: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const javaScriptEnabled of [true, false]) {
        const { page } = await browser.visit({ colorScheme, javaScriptEnabled });
        await page.goto('/how-we-rank');
        const toggle = page.getByRole('button', { name: 'Switch between light and dark theme' });
        expect(await toggle.isVisible()).toBe(javaScriptEnabled);
        backgrounds.push(await backgroundOf(page));
        await page.context().close();
      }
    }
    const [light, lightWithout, dark, darkWithout] = backgrounds;
    expect(lightWithout).toBe(light);
    expect(darkWithout).toBe(dark);
    expect(dark).not.toBe(light);
  });
});

/** Reads the count from the list's own status line. */
async function countOf(page: Page): Promise<number> {
  const text = (await page.locator('main [role=status]').first().textContent()) ?? '';
  return Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', ''));
}

function titlesOf(page: Page): Promise<string[]> {
  return page.locator('main article').getByRole('heading').allTextContents();
}

function backgroundOf(page: Page): Promise<string> {
  return page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
}

/**
 * Returns the styles of each kind of control that a missing stylesheet would change. Omits a deal's
 * actions, which are narrower to fit in one row.
 */
async function looksOf(page: Page): Promise<[control: string, look: string][]> {
  const inForms = page.locator('form :is(input, select, textarea, button):visible');
  return inForms.evaluateAll((controls) =>
    controls
      .filter((control) => !control.closest('.deal-price-box-actions'))
      .map((control) => {
        const { borderRadius, borderStyle, padding, backgroundColor, fontSize, fontFamily } =
          getComputedStyle(control);
        const look = [borderRadius, borderStyle, padding, backgroundColor, fontSize, fontFamily];
        // Containers style controls that have no class.
        const named = control.closest('[class]')?.className ?? '';
        return [`${control.tagName} ${named}`, look.join(' | ')];
      }),
  );
}

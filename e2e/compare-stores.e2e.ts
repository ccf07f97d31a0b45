import { expect, test } from 'vitest';
import { useBrowser } from './open-browser.ts';

const browser = useBrowser();

test.for([
  { width: 390, javaScriptEnabled: true },
  { width: 1280, javaScriptEnabled: true },
  { width: 390, javaScriptEnabled: false },
  { width: 1280, javaScriptEnabled: false },
])(
  'compares the stores of a found phone and opens the cheapest with shipping, at $width px, with script: $javaScriptEnabled',
  async ({ width, javaScriptEnabled }) => {
    const viewport = { width, height: 844 };
    const { page, complaints } = await browser.visit({ viewport, javaScriptEnabled });
    await page.goto('/');
    await page.getByRole('combobox', { name: 'Search deals and stores' }).fill('aurel 6 phone');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deals?search=*');
    await page
      .locator('main article')
      .getByRole('link', { name: /^Aurel 6\b.*\b128 GB/ })
      .first()
      .click();
    await page.getByRole('link', { name: /^Also at \d other stores, from \$/ }).click();
    await page.waitForURL('**/products/*');

    const offers = page.getByRole('region', { name: 'Offers', exact: true }).getByRole('row');
    await offers.first().waitFor();
    const stores = await offers.locator('th > a').allTextContents();
    expect(stores).toEqual(['Pixel Harbor', 'Lumen & Lark', 'Voltkrone']);
    const totals = await offers.locator('[data-label="Total"]').allTextContents();
    expect(totals).toEqual(['$346.90', '$347.90', '$348.00']);
    const prices = await offers.locator('[data-label="Price"]').allTextContents();
    expect(prices).toEqual(['$342.00', '$338.00', '$348.00']);

    const [answer] = await Promise.all([
      page.context().waitForEvent('response', (one) => one.url().includes('/out/')),
      offers.nth(1).getByRole('link', { name: 'Get Deal' }).click(),
    ]);
    expect(answer.headers().location).toContain('pixel-harbor.example');
    expect(complaints).toEqual([]);
  },
);

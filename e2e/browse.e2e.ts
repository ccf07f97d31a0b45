import { expect, it } from 'vitest';
import { useBrowser } from './open-browser.ts';

const browser = useBrowser();

// Proves Storefront 6: Anonymous: browse, search, view, share (routes.ts)
it('takes a visitor from the home page to a deal without browser errors', async () => {
  const { page, complaints } = await browser.visit();
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto('/deals');
  const first = page.locator('a[href^="/deals/"]').first();
  const address = await first.getAttribute('href');
  await first.click();
  await page.waitForURL(`**${address}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(complaints).toEqual([]);
});

it('shows the same pages to a visitor without JavaScript', async () => {
  const { page, complaints } = await browser.visit({ javaScriptEnabled: false });
  for (const address of ['/', '/deals', '/categories', '/merchants']) {
    const answer = await page.goto(address);
    expect([address, answer?.status()]).toEqual([address, 200]);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  }
  expect(complaints).toEqual([]);
});

import sharp from 'sharp';
import { expect, test } from 'vitest';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';

useOwnShop();
const browser = useBrowser({ showsPictures: true });

const here = '/admin/settings/brand';

async function picture(width: number, height: number) {
  const create = { width, height, channels: 3, background: '#c33' } as const;
  const buffer = await sharp({ create }).png().toBuffer();
  return { name: 'picture.png', mimeType: 'image/png', buffer };
}

test.each([
  [600, 160],
  [160, 600],
  [20, 20],
])('keeps the header on a phone intact with a logo of %d × %d pixels', async (width, height) => {
  const { page } = await browser.visit({ viewport: { width: 360, height: 740 } });
  await openStaffSession(page.context(), 'logo');
  await page.goto(here);
  await page.getByLabel('Logo', { exact: true }).setInputFiles(await picture(width, height));
  await page.getByRole('button', { name: 'Save brand' }).click();
  await page.getByText('Brand saved.').filter({ visible: true }).waitFor();
  const { page: visitor, complaints } = await browser.visit({
    viewport: { width: 360, height: 740 },
  });
  for (const path of ['/', '/deals', '/sign-in']) {
    await visitor.goto(path);
    await visitor.locator('header img').first().waitFor();
    const sizes = await visitor.evaluate(() => {
      const wide = (selector: string) =>
        document.querySelector(selector)?.getBoundingClientRect().width ?? 0;
      return {
        overflow: document.documentElement.scrollWidth - innerWidth,
        search: document.querySelector('header input')?.closest('form')?.clientWidth ?? 0,
        logo: wide('header a[aria-label$=" home"]'),
      };
    });
    expect(sizes.overflow, path).toBeLessThanOrEqual(0);
    expect(sizes.search, path).toBeGreaterThanOrEqual(44);
    expect(sizes.logo, path).toBeGreaterThanOrEqual(44);
  }
  expect(complaints).toEqual([]);
});

test.each([true, false])(
  'previews, saves and restores a brand, with JavaScript %s',
  async (javaScriptEnabled) => {
    const { page, complaints } = await browser.visit({
      reducedMotion: 'reduce',
      javaScriptEnabled,
    });
    await openStaffSession(page.context(), 'brand');
    const { page: visitor } = await browser.visit();
    const heads = async () => {
      await visitor.goto('/');
      return visitor.locator('head').innerHTML();
    };
    const shown = (text: string) => page.getByText(text).filter({ visible: true }).first();
    const accent = javaScriptEnabled ? '#ffd400' : '#1d4ed8';
    await page.goto(here);
    await page.getByLabel('Icon', { exact: true }).setInputFiles(await picture(256, 256));
    await page.getByLabel('Accent color').fill(accent);
    await page.getByRole('button', { name: 'Preview' }).click();
    await shown('Not saved yet.').waitFor();
    expect(javaScriptEnabled ? await examine(page) : []).toEqual([]);
    expect(await heads()).not.toContain(accent.slice(1));

    await page.getByRole('button', { name: 'Save brand' }).click();
    await shown('Brand saved.').waitFor();
    await expect.poll(heads, { timeout: 30_000 }).toContain(`/brand/theme-${accent.slice(1)}-`);
    const fill = await visitor.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--fill'),
    );
    expect(fill).toContain(accent);
    const icon = await visitor.request.get('/favicon.ico');
    expect(icon.headers()['content-type']).toBe('image/x-icon');
    expect(icon.url()).toMatch(/\/brand\/icon-[\da-f]{12}\.ico$/);
    await page.goto('/admin');
    expect(await page.locator('head').innerHTML()).toContain(`theme-${accent.slice(1)}-`);

    await page.goto(here);
    await page.getByRole('button', { name: 'Restore the default' }).click();
    await page
      .locator('dialog[open]')
      .getByRole('button', { name: 'Restore', exact: true })
      .click();
    await shown('Default brand restored.').waitFor();
    await expect.poll(heads, { timeout: 30_000 }).not.toContain('/brand/');
    expect(complaints).toEqual([]);
  },
);

test('previews a font before it is saved, then uses it on every page, served from this site only', async () => {
  const { page, complaints } = await browser.visit({ reducedMotion: 'reduce' });
  await openStaffSession(page.context(), 'font');
  const { page: visitor } = await browser.visit();
  const isLoaded = () => document.fonts.check('16px "Source Serif 4"');
  await page.goto(here);
  await page.getByLabel('Font', { exact: true }).selectOption('source-serif');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Not saved yet.').filter({ visible: true }).waitFor();
  await expect.poll(() => page.evaluate(isLoaded), { timeout: 30_000 }).toBe(true);
  const families = (element: Element) => getComputedStyle(element).fontFamily;
  const shown = page.locator('[data-brand-preview=light]');
  expect(await shown.evaluate(families)).toContain('Source Serif 4');
  expect(await page.locator('body').evaluate(families)).toContain('Figtree');
  expect(await examine(page)).toEqual([]);

  await page.getByRole('button', { name: 'Save brand' }).click();
  await page.getByText('Brand saved.').filter({ visible: true }).waitFor();
  const fonts: string[] = [];
  visitor.on('response', (answer) => {
    const isKept = answer.headers()['cache-control']?.includes('immutable') === true;
    if (/\.woff2$/.test(answer.url())) fonts.push(`${new URL(answer.url()).pathname} ${isKept}`);
  });
  const family = async () => {
    await visitor.goto('/');
    return visitor.locator('h1').evaluate(families);
  };
  await expect.poll(family, { timeout: 30_000 }).toContain('Source Serif 4');
  fonts.length = 0;
  await visitor.reload();
  await expect.poll(() => visitor.evaluate(isLoaded), { timeout: 30_000 }).toBe(true);
  expect(new Set(fonts)).toEqual(
    new Set([expect.stringMatching(/^\/assets\/source-serif-4-latin-wght-normal-.*\.woff2 true$/)]),
  );
  expect(complaints).toEqual([]);

  await page.getByLabel('Font', { exact: true }).selectOption('system');
  await page.getByRole('button', { name: 'Save brand' }).click();
  await expect.poll(family, { timeout: 30_000 }).not.toContain('Source Serif 4');
  expect(await visitor.locator('head').innerHTML()).not.toContain('as="font"');
});

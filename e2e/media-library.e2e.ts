import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';
import { waitForText as said } from './wait-for-text.ts';

useOwnShop();
const browser = useBrowser({ showsPictures: true });

async function staff(options: BrowserContextOptions = {}) {
  const visitor = await browser.visit({ reducedMotion: 'reduce', ...options });
  await openStaffSession(visitor.page.context(), 'media');
  return visitor;
}

const photo = (background: string) =>
  sharp({ create: { width: 1200, height: 900, channels: 3, background } })
    .withExif({ IFD0: { Copyright: 'Somebody' } })
    .jpeg()
    .toBuffer();
const file = async (name: string, background: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await photo(background),
});

/** Pastes or drops a picture on an element, as a browser does. */
async function give(page: Page, selector: string, how: 'paste' | 'drop', name: string, to: string) {
  const bytes = [...(await photo(to))];
  await page
    .locator(selector)
    .first()
    .evaluate(
      (element, given) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(given.bytes)], given.name, { type: 'image/jpeg' }));
        const common = { bubbles: true, cancelable: true };
        element.dispatchEvent(
          given.how === 'paste'
            ? new ClipboardEvent('paste', { ...common, clipboardData: data })
            : new DragEvent('drop', { ...common, dataTransfer: data }),
        );
      },
      { bytes, name, how },
    );
}

test('uploads pictures by button, paste and drop, describes one, and publishes a post with it', async () => {
  const { page } = await staff();
  await openHydrated(page, '/admin/media');
  await said(page, 'No pictures yet');
  const input = page.getByLabel('Upload pictures').and(page.locator('input'));
  await input.setInputFiles([await file('lamp.jpg', '#a33'), await file('desk.jpg', '#3a3')]);
  await said(page, '2 pictures uploaded.');
  await input.setInputFiles([await file('again.jpg', '#a33')]);
  await said(page, '1 picture already in the library.');
  await input.setInputFiles([
    {
      name: 'art.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"/>'),
    },
  ]);
  await said(page, 'art.svg: The file is SVG, not a photo.');
  await give(page, 'main h1', 'paste', 'pasted.jpg', '#33a');
  await said(page, '1 picture uploaded.');
  await page.getByRole('link', { name: 'pasted.jpg' }).waitFor();
  await give(page, 'main form[enctype] + p', 'drop', 'dropped.jpg', '#aa3');
  await page.getByRole('link', { name: 'dropped.jpg' }).waitFor();
  expect(await examine(page)).toEqual([]);

  await page.getByRole('link', { name: 'lamp.jpg' }).click();
  await page.getByLabel('Alt text', { exact: true }).fill('A red lamp');
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Update Picture' }).click();
  await page.getByRole('row').filter({ hasText: 'A red lamp' }).waitFor();

  await openHydrated(page, '/admin/blog/new');
  await page.getByLabel('Title', { exact: true }).fill('Red light');
  await page.getByLabel('Excerpt').fill('About it.');
  const editor = page.locator('[role=textbox][aria-label=Content]');
  await editor.click();
  await page.keyboard.type('Look:');
  await give(page, '[role=textbox][aria-label=Content]', 'paste', 'in-text.jpg', '#3aa');
  await editor.locator('img').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await said(page, 'Blog post created successfully!'); // a draft without a featured image

  await page.getByRole('link', { name: 'Red light' }).click();
  await page.getByRole('button', { name: 'Choose picture' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a picture' });
  await dialog.getByLabel('Search by name or description').fill('red lamp');
  await dialog.getByRole('button', { name: 'lamp.jpg' }).waitFor();
  await expect.poll(() => dialog.getByRole('listitem').count(), { timeout: 30_000 }).toBe(1);
  expect(await examine(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'lamp.jpg' }).click();
  const cover = await page.getByLabel('Featured Image URL').inputValue();
  expect(cover).toMatch(/^\/media\/library\/[0-9a-f]+-1200\.webp$/);
  await editor.click();
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Deal', exact: true }).click();
  await page.getByRole('list', { name: 'Deals found' }).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('checkbox', { name: 'Published' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await said(page, 'Blog post updated successfully!');

  await page.goto('/blog/red-light');
  await page.locator('article').getByText('Get Deal').waitFor();
  await expect
    .poll(
      () =>
        page
          .locator('article img[src*="/media/library/"]')
          .evaluateAll((all) =>
            all.map((one) => one instanceof HTMLImageElement && one.naturalWidth > 0),
          ),
      { timeout: 30_000 },
    )
    .toEqual([true, true]);
  expect(await examine(page)).toEqual([]);
  const answer = await page.request.get(cover);
  expect(answer.headers()['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await answer.body()).includes('Somebody')).toBe(false);

  await page.goto('/admin/media?q=lamp');
  await said(page, 'Post: Red light');
  await page.getByRole('button', { name: 'Actions for lamp.jpg' }).click();
  await page.locator(':popover-open').getByRole('button', { name: 'Delete' }).click();
  await said(page, 'The picture is used in 1 place: Post “Red light”. Replace it there first.');
});

test('uploads a merchant’s logo by pasting it into its field, and saves it', async () => {
  const { page } = await staff();
  await openHydrated(page, '/admin/merchants/new');
  await page.getByLabel('Name', { exact: true }).fill('Lamp House');
  await give(page, 'input[name=logo_url]', 'paste', 'logo.jpg', '#123456');
  await expect
    .poll(() => page.getByLabel('Logo URL').inputValue(), { timeout: 30_000 })
    .toMatch(/^\/media\/library\//);
  await page.getByRole('button', { name: 'Create Merchant' }).click();
  await said(page, 'Merchant created.');
  const stored = await withShopDatabase((db) =>
    db
      .selectFrom('merchants')
      .select('logo_url')
      .where('name', '=', 'Lamp House')
      .executeTakeFirstOrThrow(),
  );
  expect(stored.logo_url).toMatch(/^\/media\/library\//);
});

test('inserts a library picture and a pasted one into a page', async () => {
  const { page } = await staff();
  await openHydrated(page, '/admin/media');
  const input = page.getByLabel('Upload pictures').and(page.locator('input'));
  await input.setInputFiles([await file('shelf.jpg', '#735')]);
  await page.getByRole('link', { name: 'shelf.jpg' }).click();
  await page.getByLabel('Alt text', { exact: true }).fill('A [tidy] shelf');
  await page.getByRole('button', { name: 'Update Picture' }).click();
  await page.getByRole('row').filter({ hasText: 'A [tidy] shelf' }).waitFor();

  await openHydrated(page, '/admin/pages/new');
  await page.getByLabel('Title', { exact: true }).fill('Our shop');
  const content = page.getByLabel('Content');
  await content.fill('Before. After.');
  for (const _ of 'After.') await content.press('ArrowLeft');
  await page.getByRole('button', { name: 'Picture', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a picture' });
  await dialog.getByRole('button', { name: 'shelf.jpg' }).click();
  await give(page, 'textarea[name=content]', 'paste', 'wall.jpg', '#537');
  await expect
    .poll(() => content.inputValue(), { timeout: 30_000 })
    .toMatch(/^Before\. !\[A \\\[tidy\\\] shelf\]\(\/media\S+\)!\[\]\(\/media\S+\)After\.$/);
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).last().click();
  await said(page, 'Page created.');

  await page.goto('/our-shop');
  const pictures = page.locator('article img[src^="/media/library/"]');
  await expect
    .poll(
      () =>
        pictures.evaluateAll((all) =>
          all.map((one) => one instanceof HTMLImageElement && one.naturalWidth > 0 && one.alt),
        ),
      { timeout: 30_000 },
    )
    .toEqual(['A [tidy] shelf', '']);
  expect(await examine(page)).toEqual([]);
  await page.goto('/admin/media?q=shelf');
  await said(page, 'Page: Our shop');
});

test('uploads and deletes a picture without JavaScript', async () => {
  const { page } = await staff({ javaScriptEnabled: false });
  await page.goto('/admin/media');
  await page
    .getByLabel('Pictures', { exact: true })
    .setInputFiles([await file('plain.jpg', '#777')]);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await said(page, '1 picture uploaded.');
  await page.getByRole('button', { name: 'Actions for plain.jpg' }).click();
  await page.locator(':popover-open').getByRole('button', { name: 'Delete' }).click();
  await page.locator('dialog[open]').getByRole('button', { name: 'Delete' }).click();
  await said(page, 'Picture deleted.');
});

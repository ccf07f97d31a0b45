import { expect, test } from 'vitest';
import { insertBlogPost } from '#test/factories/insert.ts';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';

useOwnShop();
const browser = useBrowser();

test.each([true, false])(
  'restores a deleted post from the trash, at its public URL, with JavaScript %s',
  async (javaScriptEnabled) => {
    const slug = `shade-${javaScriptEnabled}`;
    const title = `About the ${slug}`;
    await withShopDatabase((db) => insertBlogPost(db, { title, slug }));
    const { page } = await browser.visit({ reducedMotion: 'reduce', javaScriptEnabled });
    await openStaffSession(page.context(), 'trash');
    const status = async () => (await page.request.get(`/blog/${slug}`)).status();

    await page.goto(`/admin/blog?q=${slug}`);
    const menu = page.locator(':popover-open');
    const dialog = page.locator('dialog[open]');
    await page.getByRole('button', { name: `Actions for ${title}` }).click();
    await menu.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByText('You can restore it from Trash for 30 days.').waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Blog post deleted successfully!').filter({ visible: true }).waitFor();
    await expect.poll(status, { timeout: 30_000 }).toBe(404);

    await page.goto(`/admin/trash?q=${slug}`);
    const row = page.getByRole('row').filter({ hasText: title });
    await row.getByText('Post', { exact: true }).waitFor();
    expect(javaScriptEnabled ? await examine(page) : []).toEqual([]);
    await page.getByRole('button', { name: `Actions for ${title}` }).click();
    await menu.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText(`“${title}” is restored.`).filter({ visible: true }).waitFor();
    await expect.poll(status, { timeout: 30_000 }).toBe(200);
    await page.getByText('Nothing found in the trash').waitFor();
  },
);

import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { insertBlogPost } from '#test/factories/insert.ts';
import { examine } from './examine-page.ts';
import { useOwnShop } from './current-shop.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { waitForToast as toast } from './wait-for-text.ts';

useOwnShop();
const browser = useBrowser();

async function staff(options: BrowserContextOptions = {}) {
  const visitor = await browser.visit({ reducedMotion: 'reduce', ...options });
  await openStaffSession(visitor.page.context(), 'blog');
  return visitor;
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name, exact: true });
/**
 * Clicks a toolbar button and waits until the text has the focus again, because earlier keystrokes
 * would be lost.
 */
async function use(page: Page, name: string): Promise<void> {
  await tool(page, name).click();
  await page.waitForFunction(
    () => document.activeElement instanceof HTMLElement && document.activeElement.isContentEditable,
  );
}
/** Finds the editor, not the text area shown until the editor has loaded. */
const editor = (page: Page) => page.locator('[role=textbox][aria-label=Content]');

/** Returns an existing picture, because a missing one would cause a browser error. */
async function pictureOfTheShop(): Promise<string> {
  const { image_url } = await withShopDatabase((db) =>
    db
      .selectFrom('deals')
      .select('image_url')
      .where('is_demo', '=', true)
      .where('image_url', 'is not', null)
      .executeTakeFirstOrThrow(),
  );
  return image_url ?? '';
}

// Proves P18: editor with a source view (content-field.tsx)
test('publishes a post that was written and previewed in the editor, and serves it at its URL', async () => {
  const { page } = await staff();
  await page.goto('/admin/blog');
  await page.getByRole('link', { name: 'New Post' }).click();
  await page.getByLabel('Title', { exact: true }).fill('Journey to a lamp');
  await page.getByText('Address: /blog/journey-to-a-lamp').waitFor();
  await expect.poll(() => save(page).isDisabled()).toBe(true); // The form still has no content.
  await page.getByLabel('Excerpt').fill('What a lamp is for.');

  await editor(page).click();
  await use(page, 'Heading H2');
  await page.keyboard.type('Light');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Look at the ');
  await use(page, 'Bold');
  await page.keyboard.type('bulb');
  await use(page, 'Bold');
  await page.keyboard.type(' first, at ');
  await tool(page, 'Link').click();
  await page.getByLabel('Link address').fill('javascript:alert(1)');
  await page.keyboard.press('Enter');
  await page.getByText('Start with https://, mailto: or /').waitFor();
  await page.getByLabel('Link address').fill('https://bulbs.example/');
  await page.keyboard.press('Enter');
  await page.getByLabel('Link address').waitFor({ state: 'detached' });
  expect(await examine(page)).toEqual([]);

  await page.getByRole('tab', { name: 'Source' }).click();
  const source = page.getByRole('textbox', { name: 'Content' });
  expect(await source.inputValue()).toContain('<h2>Light</h2><p>Look at the <strong>bulb</strong>');
  await source.fill(`${await source.inputValue()}<p onclick="x()">By hand</p>`);
  await page.getByRole('tab', { name: 'Source' }).press('ArrowRight');
  const preview = page.getByRole('tabpanel');
  await preview.getByText('By hand').waitFor();
  // The preview is dimmed while it loads.
  await preview.and(page.locator(':not([aria-busy])')).getByText('By hand').waitFor();
  expect(await preview.innerHTML()).toContain('rel="nofollow noopener"');
  expect(await preview.innerHTML()).not.toContain('onclick');
  expect(await examine(page)).toEqual([]);

  await page.getByLabel('Featured Image URL').fill(await pictureOfTheShop());
  await page.getByLabel('Tags').fill('Light, , lamps');
  await page.getByRole('checkbox', { name: 'Published' }).check();
  await page.getByRole('button', { name: 'Use 1' }).click();
  await save(page).click();
  await toast(page, 'Blog post created successfully!');
  await page.getByRole('button', { name: 'Actions for Journey to a lamp' }).click();
  await page.locator(':popover-open').getByRole('link', { name: 'View' }).click();
  await page.waitForURL('**/blog/journey-to-a-lamp');
  await page.getByRole('heading', { name: 'Journey to a lamp', level: 1 }).waitFor();
  await page.locator('article strong').getByText('bulb').waitFor();
  await page.getByText('1 min read').first().waitFor();
  await page.context().close();
});

// Proves Back office 2: Blog post form: fields, sentences, Save disabled (post-form.tsx)
test('rejects an empty post and a slug in use, and keeps the input', async () => {
  await withShopDatabase((db) => insertBlogPost(db, { slug: 'taken-lamp' }));
  const { page } = await staff();
  await page.goto('/admin/blog/new');
  await page.getByLabel('Title', { exact: true }).fill('Taken lamp');
  await editor(page).click();
  await page.keyboard.type('x');
  await expect.poll(() => save(page).isEnabled()).toBe(true);
  await page.keyboard.press('Backspace');
  await expect.poll(() => save(page).isDisabled()).toBe(true);
  await page.keyboard.type('All about it');
  await page.getByLabel('Excerpt').fill('Taken.');
  await page.getByLabel('Featured Image URL').fill('https://pictures.example/a.jpg');
  await page.getByLabel('Slug').fill('taken-lamp');
  await save(page).click();
  await page.getByRole('alert').getByText('Slug: Another blog post has this slug.').waitFor();
  await editor(page).getByText('All about it').waitFor();
  await page.getByLabel('Slug').fill('');
  await save(page).click();
  await toast(page, 'Blog post created successfully!');
  await page.getByRole('link', { name: 'Taken lamp' }).waitFor();
  await page.context().close();
});

// Proves R47: posts (change-post.server.ts)
test('R47: keeps the text of both simultaneous writers, and loads the other version into the editor', async () => {
  const picture = await pictureOfTheShop();
  const { id } = await withShopDatabase((db) =>
    insertBlogPost(db, {
      title: 'Contested lamp',
      content: '<p>At first.</p>',
      featured_image_url: picture,
    }),
  );
  const [mine, theirs] = [await staff(), await staff()];
  for (const { page } of [mine, theirs]) {
    await page.goto(`/admin/blog/edit/${id}`);
    await editor(page).getByText('At first.').click();
    await page.keyboard.press('End');
  }
  await theirs.page.keyboard.type(' Theirs.');
  await save(theirs.page).click();
  await toast(theirs.page, 'Blog post updated successfully!');

  const { page } = mine;
  await page.keyboard.type(' Mine.');
  await page.getByLabel('Title', { exact: true }).fill('My lamp');
  await save(page).click();
  await page.getByRole('alert').getByText('Someone else saved this blog post').waitFor();
  await editor(page).getByText('At first. Mine.').waitFor();
  await page.getByRole('button', { name: 'Use theirs: Content' }).click();
  await editor(page).getByText('At first. Theirs.').waitFor();
  expect(await examine(page)).toEqual([]);
  await save(page).click();
  await toast(page, 'Blog post updated successfully!');
  const post = await withShopDatabase((db) =>
    db
      .selectFrom('blog_posts')
      .select(['title', 'content'])
      .where('id', '=', id)
      .executeTakeFirst(),
  );
  expect(post).toEqual({ title: 'My lamp', content: '<p>At first. Theirs.</p>' });
  for (const { page: open } of [mine, theirs]) await open.context().close();
});

test('keeps content that the editor cannot represent', async () => {
  const content = '<p>Before</p><table><tbody><tr><td>Watts</td></tr></tbody></table>';
  const { id } = await withShopDatabase((db) => insertBlogPost(db, { content }));
  const { page } = await staff();
  await page.goto(`/admin/blog/edit/${id}`);
  await page.getByText('This editor does not support parts of this text (table').waitFor();
  expect(await editor(page).getAttribute('contenteditable')).toBe('false');
  await page.getByRole('tab', { name: 'Source' }).click();
  expect(await page.getByRole('textbox', { name: 'Content' }).inputValue()).toBe(content);
  await page.context().close();
});

test('publishes, unpublishes, deletes and restores a post on a phone in the dark theme', async () => {
  const title = 'Pocket lamp';
  await withShopDatabase((db) => insertBlogPost(db, { title, slug: 'pocket-lamp' }));
  const { page, complaints } = await staff({
    viewport: { width: 390, height: 800 },
    colorScheme: 'dark',
  });
  await page.goto('/admin/blog?q=pocket');
  expect(await examine(page)).toEqual([]);
  const act = async (name: string) => {
    await page.getByRole('button', { name: `Actions for ${title}` }).click();
    await page.locator(':popover-open').getByRole('button', { name, exact: true }).click();
  };
  await act('Unpublish');
  await toast(page, 'Blog post status updated successfully!');
  await page.locator('output').getByRole('button', { name: 'Undo' }).click();
  await act('Delete');
  const dialog = page.getByRole('dialog', {
    name: 'Are you sure you want to delete this blog post?',
  });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await toast(page, 'Blog post deleted successfully!');
  await page.getByText('No blog posts found').waitFor();
  await page.locator('output').getByRole('button', { name: 'Undo' }).last().click();
  await toast(page, 'The blog post was restored.');
  await page.getByRole('link', { name: title }).click();
  await tool(page, 'Bold').waitFor();
  expect(await examine(page)).toEqual([]);
  await page.getByRole('link', { name: 'Cancel' }).click();
  expect(complaints).toEqual([]);
  await page.context().close();
});

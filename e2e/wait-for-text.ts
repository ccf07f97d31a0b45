import type { Page } from 'playwright-core';

/** Waits for a toast with this text. */
export const waitForToast = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('output').getByText(text).last().waitFor();

/** Waits until the page shows this text, in a toast or elsewhere. */
export const waitForText = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text).filter({ visible: true }).first().waitFor();

import { HtmlValidate } from 'html-validate/node';
import type { Page } from 'playwright-core';
import { strayValues } from '#test/stray-values.ts';
import { allowedRoles } from './allowed-roles.ts';
import { withoutIds } from './examine-page.ts';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended'],
  plugins: [allowedRoles],
  rules: {
    'allowed-roles': 'error',
    // React writes HTML in a valid but unusual style: void elements with a slash, attributes named
    // after properties, and boolean attributes with an empty value.
    'void-style': 'off',
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    // Checkboxes in a list share a name but have different values.
    'form-dup-name': ['error', { shared: ['radio', 'button', 'reset', 'submit', 'checkbox'] }],
    // Ids that React creates begin with an underscore.
    'valid-id': ['error', { relaxed: true }],
  },
});

const known = new Map<string, Promise<string[]>>();

/**
 * Lists the distinct faults that html-validate and our own rules find in a page. Pages that differ
 * only in script data are checked once, because no rule reads that data.
 */
export function htmlFaults(html: string): Promise<string[]> {
  const key = withoutIds(html.replaceAll(/(<script\b[^>]*>)[^]*?<\/script>/g, '$1'));
  const faults = known.get(key) ?? validate(html);
  known.set(key, faults);
  return faults;
}

async function validate(html: string): Promise<string[]> {
  const report = await validator.validateString(html);
  const faults = report.results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  );
  return [...new Set(faults), ...strayValues(html)];
}

/**
 * Returns the status and the faults of a URL's response to this browser's visitor. Uses a new
 * connection, because the site may have closed an idle one while the previous page was checked.
 */
export async function sentFaults(
  page: Page,
  address: string,
): Promise<{ status: number; faults: string[] }> {
  const headers = { connection: 'close' };
  const sent = await page.context().request.get(address, { headers });
  return { status: sent.status(), faults: await htmlFaults(await sent.text()) };
}

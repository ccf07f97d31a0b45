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
    // The checkboxes of a list share one name with many values.
    'form-dup-name': ['error', { shared: ['radio', 'button', 'reset', 'submit', 'checkbox'] }],
    // Ids that React creates begin with an underscore.
    'valid-id': ['error', { relaxed: true }],
  },
});

const known = new Map<string, Promise<string[]>>();

/**
 * Lists the faults that html-validate and our own rules find in a page, each once. Pages that
 * differ only in the data of their scripts are checked once, because no rule reads that data.
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
 * Lists the faults of the response to this browser's visitor at an address, with the status. Uses a
 * new connection, because the site may have closed an idle one during the checks of the last page.
 */
export async function sentFaults(
  page: Page,
  address: string,
): Promise<{ status: number; faults: string[] }> {
  const headers = { connection: 'close' };
  const sent = await page.context().request.get(address, { headers });
  return { status: sent.status(), faults: await htmlFaults(await sent.text()) };
}

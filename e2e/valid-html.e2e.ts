import { HtmlValidate } from 'html-validate/node';
import { describe, expect, inject, it } from 'vitest';
import { pageKinds } from './page-kinds.ts';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    // How React writes HTML, and HTML does not mind: void elements with a slash, attributes by the names of their
    // properties, and boolean attributes with an empty value.
    'void-style': 'off',
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    // Ids that React makes begin with an underscore.
    'valid-id': ['error', { relaxed: true }],
  },
});

describe('the HTML that the server sends', () => {
  it.for(pageKinds())('is valid: $name', async ({ address, status }) => {
    const answer = await fetch(inject('origin') + address);
    expect(answer.status).toBe(status);
    const report = await validator.validateString(await answer.text());
    const faults = report.results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
    );
    expect([...new Set(faults)]).toEqual([]);
  });

  it.for(['/', '/deals', '/deals?search=desk'])(
    'asks for styles before scripts: %s',
    async (address) => {
      const html = await (await fetch(inject('origin') + address)).text();
      const firstScript = html.indexOf('<link rel="modulepreload"');
      expect(firstScript).toBeGreaterThan(0);
      expect(html.search(/<link [^>]*rel="stylesheet"/)).toBeGreaterThan(0);
      expect(html.slice(firstScript)).not.toMatch(/<link [^>]*rel="stylesheet"/);
    },
  );
});

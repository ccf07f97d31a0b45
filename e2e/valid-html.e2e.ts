import { describe, expect, inject, it } from 'vitest';
import { htmlFaults } from './html-faults.ts';
import { pageKinds } from './page-kinds.ts';

describe('the HTML that the server sends', () => {
  it.for(pageKinds())('is valid: $name', async ({ address, status }) => {
    const answer = await fetch(inject('origin') + address);
    expect(answer.status).toBe(status);
    expect(await htmlFaults(await answer.text())).toEqual([]);
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

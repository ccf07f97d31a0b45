import { describe, expect, inject, it } from 'vitest';
import { strayValues } from '#test/stray-values.ts';
import { fetchOnce } from './fetch-once.ts';
import { htmlFaults } from './html-faults.ts';
import { pageKinds } from './page-kinds.ts';

describe('the HTML that the server sends', () => {
  it.for(pageKinds())('serves valid HTML: $name', async ({ address, status }) => {
    const answer = await fetchOnce(inject('origin') + address);
    expect(answer.status).toBe(status);
    expect(await htmlFaults(await answer.text())).toEqual([]);
  });

  it.for([
    ['<input type="search" role="combobox" aria-label="a">', 'combobox', 'input[type=search]'],
    ['<input type="checkbox" role="button" aria-label="a">', 'button', 'input[type=checkbox]'],
    ['<input type="email" role="combobox" aria-label="a">', 'combobox', 'input[type=email]'],
    ['<h2 role="button">a</h2>', 'button', 'h2'],
    ['<a href="/" role="heading">a</a>', 'heading', 'a[href]'],
    ['<ul role="button"><li>a</li></ul>', 'button', 'ul'],
  ])('uses no role that an element may not have: %s', async ([element, role, name]) => {
    const page = (body = '') =>
      `<!DOCTYPE html><html lang="en"><head><title>A page</title></head><body>${body}</body></html>`;
    const faults = await htmlFaults(page(element));
    expect(faults.join('\n')).toContain(`allowed-roles: role "${role}" is not allowed on ${name}`);
    const fine = '<input type="text" role="combobox" aria-label="a"><div role="button">a</div>';
    expect((await htmlFaults(page(fine))).join('\n')).not.toContain('allowed-roles');
  });

  it.for([
    ['<p>[object Object]</p>', 'text of <p>'],
    ['<p>Now $<!-- -->NaN</p>', 'text of <p>'],
    ['<p>null<b>!</b></p>', 'text of <p>'],
    ['<p class="card undefined"></p>', 'class of <p>'],
    ['<p class="card [object Object]"></p>', 'class of <p>'],
    ['<a href="/deals/null">a</a>', 'href of <a>'],
    ['<img alt="undefined">', 'alt of <img>'],
    ['<p data-props=\'{"deal":{"name":"NaN","off":null}}\'></p>', 'data-props of <p>'],
  ])('shows no raw value such as `undefined`: %s', ([html = '', place]) => {
    expect(strayValues(html).map((fault) => fault.split(':', 1)[0])).toEqual([place]);
    const fine = '<p data-props=\'{"off":null}\' class="null-and-void">A null result</p>';
    expect(strayValues(`<script>undefined</script>${fine}`)).toEqual([]);
  });

  it.for(['/', '/deals', '/deals?search=desk'])(
    'loads styles before scripts: %s',
    async (address) => {
      const html = await (await fetchOnce(inject('origin') + address)).text();
      const firstScript = html.search(/<link rel="modulepreload"|<script type="module"/);
      expect(firstScript).toBeGreaterThan(0);
      expect(html.search(/<link [^>]*rel="stylesheet"/)).toBeGreaterThan(0);
      expect(html.slice(firstScript)).not.toMatch(/<link [^>]*rel="stylesheet"/);
    },
  );
});

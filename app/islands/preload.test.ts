// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { __vitePreload as preload } from './preload.ts';

beforeEach(() => document.head.replaceChildren());

const links = () =>
  [...document.head.querySelectorAll('link')].map(
    (one) => `${one.rel} ${one.getAttribute('href')}`,
  );

it('fetches scripts and stylesheets together with the module, each once', async () => {
  const load = vi.fn<() => Promise<string>>().mockResolvedValue('module');
  const files = ['assets/a.js', 'assets/b.js'];
  expect(await preload(load, files)).toBe('module');
  expect(await preload(load, files)).toBe('module');
  expect(links()).toEqual(['modulepreload /assets/a.js', 'modulepreload /assets/b.js']);
});

it.each(['load', 'error'])(
  'waits for the %s event of a stylesheet before the module',
  async (type) => {
    const load = vi.fn<() => Promise<string>>().mockResolvedValue('module');
    const done = preload(load, ['assets/a.css']);
    expect(links()).toEqual(['stylesheet /assets/a.css']);
    await Promise.resolve();
    expect(load).not.toHaveBeenCalled();
    document.head.querySelector('link')?.dispatchEvent(new Event(type));
    expect(await done).toBe('module');
  },
);

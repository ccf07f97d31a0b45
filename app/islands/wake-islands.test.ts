// @vitest-environment happy-dom
import { type ComponentType, createElement, useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openIsland, hydrateOnInteraction } from './wake-islands.ts';

const script = vi.fn<() => Promise<ComponentType<never>>>();
const posted = vi.fn<(event: SubmitEvent) => void>();

function Counter({ label }: { label: string }) {
  const [count, setCount] = useState(0);
  return createElement(
    'button',
    { type: 'button', onClick: () => setCount(count + 1) },
    `${label} ${count}`,
  );
}

function PostForm() {
  return createElement(
    'form',
    { method: 'post', action: '/favorites' },
    createElement('button', null, 'Save'),
  );
}

function Closable({ onClose }: { onClose: () => void }) {
  return createElement('button', { type: 'button', onClick: onClose }, 'Close');
}

const counter =
  '<deal-island data-name="counter" data-props=\'{"label":"Hearts"}\'><button type="button">Hearts 0</button></deal-island>';
const island = () => {
  const found = document.querySelector<HTMLElement>('deal-island');
  if (!found) throw new Error('There is no island.');
  return found;
};
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000 });
const pressButton = () => document.querySelector('button')?.click();

beforeAll(() => {
  hydrateOnInteraction({ counter: script }, async () => ({
    dialog: () => Promise.resolve(Closable),
  }));
  addEventListener('submit', posted);
});

beforeEach(() => {
  script.mockReset().mockResolvedValue(Counter);
  posted.mockReset().mockImplementation((event) => event.preventDefault());
  document.body.innerHTML = counter;
});

afterEach(() => vi.restoreAllMocks());

it('fetches an island’s script once on first interaction', async () => {
  for (const type of ['pointerover', 'focusin', 'pointerdown']) {
    island().dispatchEvent(new Event(type, { bubbles: true }));
  }
  await eventually(() => expect(island().dataset['awake']).toBe(''));
  expect(script).toHaveBeenCalledOnce();
  expect(island().textContent).toBe('Hearts 0');
});

it('passes a press that preceded the script on to the island', async () => {
  pressButton();
  await eventually(() => expect(island().textContent).toBe('Hearts 1'));
  pressButton();
  await eventually(() => expect(island().textContent).toBe('Hearts 2'));
});

it('fetches an island’s script again when it failed to load', async () => {
  script.mockRejectedValueOnce(new Error('offline'));
  pressButton();
  expect(island().dataset['started']).toBe('');
  await eventually(() => expect(script).toHaveBeenCalledOnce());
  await eventually(() => expect(island().dataset['started']).toBeUndefined());
  expect(island().dataset['awake']).toBeUndefined();
  await eventually(() => {
    pressButton();
    expect(script).toHaveBeenCalledTimes(2);
  });
  await eventually(() => expect(island().textContent).toBe('Hearts 1'));
});

it.each(['loads', 'fails to load'])(
  'delays a form submission until the script %s, and submits the form once',
  async (outcome) => {
    document.body.innerHTML =
      '<deal-island data-name="counter" data-props="{}"><form method="post" action="/favorites"><button>Save</button></form></deal-island>';
    const arriving = Promise.withResolvers<typeof PostForm>();
    script.mockReturnValue(arriving.promise);
    const form = document.querySelector('form');
    form?.requestSubmit();
    form?.requestSubmit();
    expect(posted.mock.calls.filter(([event]) => !event.defaultPrevented)).toEqual([]);
    posted.mockClear();
    if (outcome === 'loads') arriving.resolve(PostForm);
    else arriving.reject(new Error('offline'));
    await eventually(() => expect(posted).toHaveBeenCalled());
    expect(posted).toHaveBeenCalledOnce();
    expect(island().dataset['awake']).toBe(outcome === 'loads' ? '' : undefined);
  },
);

it('submits a search without waiting for the island', () => {
  script.mockReturnValue(new Promise(() => {}));
  document.body.innerHTML =
    '<deal-island data-name="counter"><form action="/deals"><input name="search"></form></deal-island>';
  document.querySelector('form')?.requestSubmit();
  expect(posted).toHaveBeenCalledOnce();
});

it('opens an island over the page, and restores the focus when it closes', async () => {
  document.body.innerHTML = '<a href="/sign-in" data-island="dialog" data-props="{}">Sign In</a>';
  const link = document.querySelector('a');
  if (!link) throw new Error('There is no link.');
  openIsland(link);
  openIsland(link);
  await eventually(() => expect(document.querySelectorAll('deal-island')).toHaveLength(1));
  expect(link.ariaBusy).toBeNull();
  pressButton();
  await eventually(() => expect(document.querySelector('deal-island')).toBeNull());
  expect(document.activeElement).toBe(link);
});

it('follows the link when the island’s script fails to load', async () => {
  document.body.innerHTML = '<a href="/sign-in" data-island="counter">Sign In</a>';
  script.mockRejectedValue(new Error('offline'));
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  const link = document.querySelector('a');
  if (link) openIsland(link);
  await eventually(() => expect(assign).toHaveBeenCalledWith(link?.href));
});

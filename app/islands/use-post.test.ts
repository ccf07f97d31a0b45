// @vitest-environment happy-dom
import { createElement, useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Post, usePost } from './use-post.ts';

interface Saved {
  text: string;
}

const lost = { text: 'This could not be sent.' };
const fetched = vi.fn<typeof fetch>();
let post: Post<Saved>;
const note = (shown: Post<Saved>) => void (post = shown);
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000 });

function Sender({ show }: { show: (shown: Post<Saved>) => void }) {
  const own = usePost<Saved>(lost);
  useLayoutEffect(() => show(own));
  return null;
}

const favorite = { action: '/api/favorites', fields: { deal: '7' } };

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  flushSync(() => root.render(createElement(Sender, { show: note })));
});

afterEach(() => {
  vi.restoreAllMocks();
  fetched.mockReset();
});

describe('usePost', () => {
  it('posts the fields and returns the action’s response', async () => {
    fetched.mockResolvedValue(Response.json({ text: 'Saved' }));
    await post.send(favorite);
    await eventually(() => expect(post.answer).toEqual({ text: 'Saved' }));
    const [address, init] = fetched.mock.calls[0] ?? [];
    expect([address, init?.body]).toEqual(['/api/favorites', new URLSearchParams('deal=7')]);
    expect(post.isBusy).toBe(false);
  });

  it('posts the text fields of a form, without its files', async () => {
    fetched.mockResolvedValue(Response.json({ text: 'Saved' }));
    document.body.innerHTML =
      '<form action="/contact"><input name="name" value="Ada"><input type="file" name="file"></form>';
    const form = document.querySelector('form');
    if (form) await post.send(form);
    expect(fetched.mock.calls[0]?.[1]?.body).toEqual(new URLSearchParams('name=Ada'));
  });

  it('ignores further posts while a post is in progress', async () => {
    const slow = Promise.withResolvers<Response>();
    fetched.mockReturnValue(slow.promise);
    const sent = [post.send(favorite), post.send(favorite)];
    slow.resolve(Response.json({ text: 'Saved' }));
    await Promise.all(sent);
    expect(fetched).toHaveBeenCalledOnce();
    await post.send(favorite);
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['never arrives', () => Promise.reject(new Error('offline'))],
    ['is not JSON', () => Promise.resolve(new Response('<html>'))],
  ])(
    'returns the lost-response message as a new object each time the response %s',
    async (_, answer) => {
      fetched.mockImplementation(answer);
      await post.send(favorite);
      await eventually(() => expect(post.answer).toEqual(lost));
      const first = post.answer;
      await post.send(favorite);
      await eventually(() => expect(post.answer).not.toBe(first));
      expect(post.answer).toEqual(lost);
    },
  );

  it('keeps a form busy while a redirect is followed, and enables it when the page is shown again', async () => {
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
    const redirected = Object.defineProperties(new Response(''), {
      redirected: { value: true },
      url: { value: 'http://localhost:3000/sign-in' },
    });
    fetched.mockResolvedValue(redirected);
    await post.send(favorite);
    expect(assign).toHaveBeenCalledWith('http://localhost:3000/sign-in');
    await eventually(() => expect(post.isBusy).toBe(true));
    dispatchEvent(new Event('pageshow'));
    await eventually(() => expect(post.isBusy).toBe(false));
  });
});

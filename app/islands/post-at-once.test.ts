// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { postAtOnce } from './post-at-once.ts';

const fetched = vi.fn<typeof fetch>();
const form = () => {
  const found = document.querySelector('form');
  if (!found) throw new Error('There is no form.');
  return found;
};

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  document.body.innerHTML =
    '<main id="main" tabindex="-1"><form method="post" action="/unsubscribe"><input name="token" value="t"><button>Unsubscribe</button></form></main>';
});

afterEach(() => void fetched.mockReset());

it('posts the form and shows the response in its place', async () => {
  fetched.mockResolvedValue(new Response('<main id="main"><h1>You are unsubscribed</h1></main>'));
  await postAtOnce(form());
  expect(fetched.mock.calls[0]?.[1]?.body).toEqual(new URLSearchParams('token=t'));
  const main = document.querySelector('main');
  expect(main?.innerHTML).toBe('<h1>You are unsubscribed</h1>');
  expect(document.activeElement).toBe(main);
});

it.each([
  ['is another page', () => Promise.resolve(new Response('<p>A gateway</p>'))],
  ['never arrives', () => Promise.reject(new Error('offline'))],
])('leaves the form with its button when the response %s', async (_, answer) => {
  fetched.mockImplementation(answer);
  await postAtOnce(form());
  expect([form().ariaBusy, form().querySelector('button')?.textContent]).toEqual([
    null,
    'Unsubscribe',
  ]);
});

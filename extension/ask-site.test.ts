import { expect, test, vi } from 'vitest';
import { askSite, cutEncoded } from './ask-site.ts';

const origin = 'https://deals.example';
const unreachable = 'deals.example can’t be reached. Try again later.';
const lamp = {
  link: 'https://shop.example/p/lamp',
  title: 'Arched desk lamp',
  gtin: '4006381333931',
  price: { amount: 4500, currency: 'USD' },
};

function answerWith(answer: () => Response | Promise<Response>) {
  const asked = vi.fn<typeof fetch>(async () => answer());
  vi.stubGlobal('fetch', asked);
  return asked;
}

test('sends link, title, GTIN and price to the site, without cookies or redirects', async () => {
  const asked = answerWith(() => Response.json({ deal: null }));
  expect(await askSite(origin, lamp)).toEqual({ ok: true, check: { deal: null } });
  expect(asked).toHaveBeenCalledOnce();
  const [address, options] = asked.mock.calls[0]!;
  const url = new URL(address as string);
  expect(url.origin + url.pathname).toBe(`${origin}/api/v1/price-check`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    url: lamp.link,
    title: lamp.title,
    gtin: lamp.gtin,
    price: '4500',
    currency: 'USD',
  });
  expect(options).toMatchObject({
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    redirect: 'error',
  });
});

test('sends only what the page states', async () => {
  const asked = answerWith(() => Response.json({}));
  await askSite(origin, { link: lamp.link, title: '', gtin: null, price: null });
  const url = new URL(asked.mock.calls[0]![0] as string);
  expect([...url.searchParams.keys()]).toEqual(['url']);
});

test.each([
  [
    { status: 422, detail: 'Wrong.', errors: [{ detail: 'This address is too long.' }] },
    'This address is too long.',
  ],
  [{ status: 429, detail: 'Too many requests.' }, 'Too many requests.'],
  [{ status: 503 }, unreachable],
])('shows the message from the error response %j', async (problem, sentence) => {
  answerWith(() => Response.json(problem, { status: problem.status }));
  expect(await askSite(origin, lamp)).toEqual({ ok: false, sentence });
});

test('reports that the site can’t be reached', async () => {
  answerWith(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(await askSite(origin, lamp)).toEqual({ ok: false, sentence: unreachable });
  answerWith(() => new Response('<h1>Maintenance</h1>', { status: 503 }));
  expect(await askSite(origin, lamp)).toEqual({ ok: false, sentence: unreachable });
  answerWith(() => Response.json(null));
  expect(await askSite(origin, lamp)).toEqual({ ok: false, sentence: unreachable });
});

test('truncates a title in any alphabet to fit into a request', () => {
  expect(cutEncoded('Лампа')).toBe('Лампа');
  expect(encodeURIComponent(cutEncoded('💡'.repeat(300))).length).toBeLessThanOrEqual(400);
  expect(encodeURIComponent(cutEncoded('%'.repeat(4_000))).length).toBeLessThanOrEqual(400);
});

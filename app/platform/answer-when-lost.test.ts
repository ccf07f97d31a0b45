import { expect, test } from 'vitest';
import { answerWhenLost } from './answer-when-lost.ts';

const lost = { ok: false, message: 'Please try again.' };

test("returns the site's response, refusals included", async () => {
  const refused = { ok: false, message: 'No.' };
  expect(await answerWhenLost(async () => refused, lost)).toBe(refused);
});

test.each([
  ['what never reached it', new TypeError('Failed to fetch')],
  ['what came back as something else', new SyntaxError('Unexpected token')],
  ['a status without words of ours', { status: 503, statusText: 'Service Unavailable', data: '' }],
])('returns %s like any other response', async (_what, error) => {
  expect(await answerWhenLost(() => Promise.reject(error), lost)).toBe(lost);
});

test('passes redirects on', async () => {
  const redirect = new Response(null, { status: 302, headers: { location: '/favorites' } });
  await expect(answerWhenLost(() => Promise.reject(redirect), lost)).rejects.toBe(redirect);
});

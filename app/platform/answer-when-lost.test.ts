import { expect, test } from 'vitest';
import { answerWhenLost } from './answer-when-lost.ts';

const lost = { ok: false, message: 'Please try again.' };

test('what the site answers is the answer, refusals too', async () => {
  const refused = { ok: false, message: 'No.' };
  expect(await answerWhenLost(async () => refused, lost)).toBe(refused);
});

test.each([
  ['what never reached it', new TypeError('Failed to fetch')],
  ['what came back as something else', new SyntaxError('Unexpected token')],
  ['a status without words of ours', { status: 503, statusText: 'Service Unavailable', data: '' }],
])('%s is an answer like any other', async (_what, error) => {
  expect(await answerWhenLost(() => Promise.reject(error), lost)).toBe(lost);
});

test('what leads on goes on', async () => {
  const redirect = new Response(null, { status: 302, headers: { location: '/favorites' } });
  await expect(answerWhenLost(() => Promise.reject(redirect), lost)).rejects.toBe(redirect);
});

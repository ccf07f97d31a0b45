import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { expect, test } from 'vitest';
import { issueChallenge } from './altcha.server.ts';
import { captchaFields } from './captcha-messages.ts';
import { nextCaptchaState, unverified } from './captcha-state.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { verifyCaptcha } from './verify-captcha.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';

const database = useTestDatabase();
const address = '192.0.2.1';

async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

// Proves R27: human check on the server
test('R27: accepts a solved puzzle once, however its token is encoded', async () => {
  const services = testServices(database);
  const token = await solve(await issueChallenge(services));
  expect(await verifyCaptcha(services, token, address)).toEqual({ ok: true });
  const failed = { ok: false, message: 'ALTCHA verification failed' };
  expect(await verifyCaptcha(services, token, address)).toEqual(failed);
  const spelled = JSON.parse(Buffer.from(token, 'base64').toString());
  const other = Buffer.from(JSON.stringify(spelled, null, 2)).toString('base64');
  expect(await verifyCaptcha(services, other, address)).toEqual(failed);
});

// Proves Storefront 9: Captcha: a token is good once (spend-token.server.ts)
test('accepts a captcha token once when it is sent many times at once', async () => {
  const services = testServices(database);
  const token = await solve(await issueChallenge(services));
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => verifyCaptcha(services, token, address)),
  );
  expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
});

test('refuses a puzzle that was made easier, a guessed solution and a malformed token', async () => {
  const services = testServices(database);
  const challenge = await issueChallenge(services);
  const easier: Challenge = { ...challenge, parameters: { ...challenge.parameters, cost: 1 } };
  const guess = { challenge, solution: { counter: 1, derivedKey: '00'.repeat(32) } };
  const tokens = [
    await solve({ ...easier, parameters: { ...easier.parameters, keyPrefix: '00' } }),
    Buffer.from(JSON.stringify(guess)).toString('base64'),
    Buffer.from('{"challenge":{"parameters":null},"solution":null}').toString('base64'),
    Buffer.from('[]').toString('base64'),
    'nonsense',
    'x'.repeat(10_000),
  ];
  for (const token of tokens) {
    const answer = await verifyCaptcha(services, token, address);
    expect(answer).toEqual({ ok: false, message: 'ALTCHA verification failed' });
  }
});

// Proves Storefront 8: Captcha expired (captcha-state.ts)
test('reports an expired puzzle as expired', async () => {
  const services = testServices(database);
  const long = { ...services, now: () => new Date(Date.now() - 3_600_000) };
  const token = await solve(await issueChallenge(long));
  const answer = await verifyCaptcha(services, token, address);
  expect(answer).toEqual({ ok: false, message: 'ALTCHA token expired. Please try again.' });
});

// Proves Storefront 8: Captcha missing (captcha-messages.ts)
// Proves Storefront 8: Verify with empty token (captcha-messages.ts)
test('names the captcha provider if the token is empty, and asks a question if the form has no token field', async () => {
  const services = testServices(database);
  const empty = await verifyCaptcha(services, form({ [captchaFields.token]: '' }), address);
  expect(empty).toEqual({ ok: false, message: 'No ALTCHA token provided' });
  const first = await verifyCaptcha(services, form({ email: 'a@mail.example' }), address);
  expect(first).toMatchObject({ ok: false, message: 'Please complete the security verification.' });
  const question = !first.ok && first.question;
  if (!question) throw new Error('no question was asked');
  const answered = form({
    [captchaFields.question]: question.token,
    [captchaFields.answer]: solveQuestion(question.text),
  });
  expect(await verifyCaptcha(services, answered, address)).toEqual({ ok: true });
  expect((await verifyCaptcha(services, answered, address)).ok).toBe(false);
});

test('spends the captcha question on a wrong answer, and asks another', async () => {
  const services = testServices(database);
  const first = await verifyCaptcha(services, form({}), address);
  const question = (!first.ok && first.question) || { token: '', text: '' };
  const fields = { [captchaFields.question]: question.token, [captchaFields.answer]: '99' };
  const wrong = await verifyCaptcha(services, form(fields), address);
  expect(wrong.ok).toBe(false);
  expect(!wrong.ok && wrong.question?.token).not.toBe(question.token);
  fields[captchaFields.answer] = solveQuestion(question.text);
  expect((await verifyCaptcha(services, form(fields), address)).ok).toBe(false);
});

test('refuses even the right captcha answer beyond an IP address’s limit of questions', async () => {
  const services = testServices(database);
  let accepted = 0;
  for (let n = 0; n < 9; n++) {
    const asked = await verifyCaptcha(services, form({}), address);
    const question = (!asked.ok && asked.question) || { token: '', text: 'What is one plus one?' };
    const answer = await verifyCaptcha(
      services,
      form({
        [captchaFields.question]: question.token,
        [captchaFields.answer]: solveQuestion(question.text),
      }),
      address,
    );
    if (answer.ok) accepted += 1;
  }
  expect(accepted).toBe(6);
});

// Proves R12: limits per account and address
test('R12: never refuses visitors of other networks when one network has used up the shared quota', async () => {
  const services = testServices(database);
  const answer = async (from: string) => {
    const asked = await verifyCaptcha(services, form({}), from);
    const question = (!asked.ok && asked.question) || { token: '', text: 'What is one plus one?' };
    const fields = {
      [captchaFields.question]: question.token,
      [captchaFields.answer]: solveQuestion(question.text),
    };
    return (await verifyCaptcha(services, form(fields), from)).ok;
  };
  const countAccepted = async (addresses: string[]) => {
    let accepted = 0;
    for (const from of addresses) for (let n = 0; n < 6; n++) if (await answer(from)) accepted += 1;
    return accepted;
  };
  // One rented network has more addresses than the shared quota.
  const oneNetwork = Array.from({ length: 30 }, (_, n) => `2001:db8:7:${n}::1`);
  expect(await countAccepted(oneNetwork)).toBe(3 + 120);
  const others = Array.from({ length: 20 }, (_, n) => `198.51.${n}.9`);
  expect(await countAccepted(others)).toBe(20 * 3);
  for (const visitor of ['203.0.113.5', '2001:db8:8::1']) expect(await answer(visitor)).toBe(true);
});

// Proves Storefront 8: Captcha check fails, no message (captcha-state.ts)
// Proves P11: captcha of two providers
test('follows hCaptcha’s protocol, refuses tokens on any error, and accepts each token once', async () => {
  const asked: URLSearchParams[] = [];
  let reply: { status: number; body: string } = { status: 200, body: '{"success":true}' };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    asked.push(new URLSearchParams(body));
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const services = testServices(database, {
    HCAPTCHA_SITEKEY: 'site-key',
    HCAPTCHA_SECRET: 'the-secret',
    HCAPTCHA_VERIFY_URL: `http://127.0.0.1:${port}/siteverify`,
  });
  try {
    expect(await verifyCaptcha(services, 'good', address)).toEqual({ ok: true });
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      secret: 'the-secret',
      response: 'good',
      remoteip: address,
      sitekey: 'site-key',
    });
    const failed = { ok: false, message: 'hCaptcha verification failed' };
    expect(await verifyCaptcha(services, 'good', address)).toEqual(failed);
    reply = { status: 200, body: '{"success":false,"error-codes":["invalid-input-response"]}' };
    expect(await verifyCaptcha(services, 'bad', address)).toEqual(failed);
    reply = { status: 200, body: '{"success":false,"error-codes":["expired-input-response"]}' };
    expect(await verifyCaptcha(services, 'old', address)).toEqual({
      ok: false,
      message: 'hCaptcha token expired. Please try again.',
    });
    for (const trouble of [
      { status: 500, body: '{"success":true}' },
      { status: 200, body: 'not json' },
      { status: 200, body: '{"success":"true"}' },
      { status: 200, body: `{"success":true,"more":"${'x'.repeat(100_000)}"}` },
    ]) {
      reply = trouble;
      const answer = await verifyCaptcha(services, 'unlucky', address);
      expect(!answer.ok && answer.message).toMatch(/^hCaptcha verification error: /);
    }
    const none = await verifyCaptcha(services, '', address);
    expect(none).toEqual({ ok: false, message: 'No hCaptcha token provided' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
  const gone = await verifyCaptcha(services, 'later', address);
  expect(!gone.ok && gone.message).toMatch(/^hCaptcha verification error: /);
});

test('stops startup if only one of the two hCaptcha keys is set', () => {
  expect(() => testServices(database, { HCAPTCHA_SITEKEY: 'alone' })).toThrow(/belong together/);
});

test('deletes expired captcha tokens and keeps the others', async () => {
  const { db } = database;
  const rows = [
    { token_hash: 'old', expires_at: new Date(Date.now() - 1_000) },
    { token_hash: 'new', expires_at: new Date(Date.now() + 60_000) },
  ];
  await db.insertInto('captcha_spent').values(rows).execute();
  await forgetOldRows(db, 'forget-spent-attempts');
  const kept = await db.selectFrom('captcha_spent').select('token_hash').execute();
  expect(kept).toEqual([{ token_hash: 'new' }]);
});

// Proves Storefront 4: Captcha (captcha-state.ts)
// Proves Storefront 8: Captcha network or other exception (captcha-state.ts)
test('verifies a check with a token, and resets it on an error, expiry or a reset', () => {
  const working = nextCaptchaState(unverified, { type: 'start' });
  expect(working).toEqual({ token: null, isVerified: false, isLoading: true, error: null });
  const verified = nextCaptchaState(working, { type: 'verify', token: 'abc' });
  expect(verified).toEqual({ token: 'abc', isVerified: true, isLoading: false, error: null });
  expect(nextCaptchaState(verified, { type: 'expire', provider: 'hCaptcha' })).toEqual({
    ...unverified,
    error: 'hCaptcha token expired. Please try again.',
  });
  expect(
    nextCaptchaState(working, { type: 'error', provider: 'ALTCHA', message: 'offline' }),
  ).toEqual({
    ...unverified,
    error: 'ALTCHA verification error: offline',
  });
  expect(nextCaptchaState(verified, { type: 'reset' })).toEqual(unverified);
});

function solveQuestion(text: string): string {
  const words = 'zero one two three four five six seven eight nine ten'.split(' ');
  const [, left = '', sign, right = ''] = /^What is (\w+) (plus|minus) (\w+)\?$/.exec(text) ?? [];
  const [a, b] = [words.indexOf(left), words.indexOf(right)];
  return String(sign === 'plus' ? a + b : a - b);
}

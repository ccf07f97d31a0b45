import { describe, expect, test } from 'vitest';
import {
  checkConnection,
  checkEveryMs,
  type ConnectionEvent,
  nextConnectionHealth,
  recoveryShownForMs,
  unchecked,
} from './connection-health.ts';

const failure: ConnectionEvent = { type: 'failure', at: 1, error: 'Connection failed' };
const success: ConnectionEvent = { type: 'success', at: 2 };
const after = (...events: ConnectionEvent[]) => events.reduce(nextConnectionHealth, unchecked);

describe('the connection’s health', () => {
  test('shows no connection status while every check succeeds, including the first', () => {
    for (const events of [[], [{ type: 'check' }], [{ type: 'check' }, success]] as const) {
      expect(after(...events)).toMatchObject({ isTroubled: false, isPanelOpen: false });
    }
    expect(after(success)).toMatchObject({ status: 'connected', checkedAt: 2 });
  });

  // Proves Storefront 3: connection health
  test('shows the panel with its error on a failure, and counts failures in a row', () => {
    expect(after(failure)).toEqual({
      status: 'disconnected',
      checkedAt: 1,
      error: 'Connection failed',
      retryCount: 1,
      isTroubled: true,
      isPanelOpen: true,
    });
    expect(after(failure, { type: 'check' }, failure).retryCount).toBe(2);
    expect(after(failure, { type: 'check' })).toMatchObject({ status: 'checking', retryCount: 1 });
  });

  // Proves Storefront 4: Connection health
  test('resets the failures on a success, and hides the panel after the recovery was shown', () => {
    const recovered = after(failure, failure, success);
    expect(recovered).toMatchObject({
      status: 'connected',
      error: null,
      retryCount: 0,
      isPanelOpen: true,
    });
    expect(nextConnectionHealth(recovered, { type: 'settle' })).toMatchObject({
      isTroubled: false,
      isPanelOpen: false,
    });
  });

  test('keeps the panel after another failure during recovery', () => {
    const again = after(failure, success, failure, { type: 'settle' });
    expect(again).toMatchObject({ isTroubled: true, isPanelOpen: true, retryCount: 1 });
  });

  test('keeps the badge when the panel is dismissed, until the next failure', () => {
    const dismissed = after(failure, { type: 'dismiss' });
    expect(dismissed).toMatchObject({ isTroubled: true, isPanelOpen: false });
    expect(nextConnectionHealth(dismissed, failure).isPanelOpen).toBe(true);
  });

  // Proves Storefront 4: Connection: on load, each 30 s, on focus; hides after 3 s (connection-status.tsx)
  // Proves Storefront 9: Connection 30000 ms, 3000 ms
  test('uses the specification’s intervals for connection checks', () => {
    expect([checkEveryMs, recoveryShownForMs]).toEqual([30_000, 3_000]);
  });
});

describe('one check', () => {
  const check = (answer: () => Promise<Response>) => checkConnection(answer, () => 7);

  test('counts a check as a success if the site reports it', async () => {
    expect(await check(async () => Response.json({ ok: true }))).toEqual({
      type: 'success',
      at: 7,
    });
  });

  test('reads every response of a check completely, so that none blocks its connection', async () => {
    const answers = [Response.json({ ok: true }), Response.json({}, { status: 503 })];
    for (const answer of answers) await check(async () => answer);
    expect(answers.map(({ bodyUsed }) => bodyUsed)).toEqual([true, true]);
  });

  test('counts a check as a failure when the response is interrupted', async () => {
    const broken = new ReadableStream({
      pull: (controller) => controller.error(new Error('gone')),
    });
    const event = await check(async () => new Response(broken));
    expect(event).toEqual({ type: 'failure', at: 7, error: 'Connection failed' });
  });

  test('shows the site’s message after a failed check if there is one', async () => {
    const answer = Response.json({ error: 'No data.' }, { status: 503 });
    expect(await check(async () => answer)).toEqual({ type: 'failure', at: 7, error: 'No data.' });
  });

  test.each([
    ['a response that is not JSON', async () => new Response('<html>', { status: 502 })],
    ['an error that is not text', async () => Response.json({ error: { a: 1 } }, { status: 500 })],
    ['no response', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('treats %s as "Connection failed"', async (_, answer) => {
    expect(await check(answer)).toEqual({ type: 'failure', at: 7, error: 'Connection failed' });
  });
});

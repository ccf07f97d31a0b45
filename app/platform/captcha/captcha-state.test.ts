import {
  array,
  assert,
  constantFrom,
  oneof,
  option,
  property,
  record,
  string,
} from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import {
  type CaptchaEvent,
  type CaptchaState,
  nextCaptchaState,
  unverified,
} from './captcha-state.ts';

const after = (...events: CaptchaEvent[]): CaptchaState =>
  events.reduce(nextCaptchaState, unverified);

describe('the state of a check', () => {
  test('starts a captcha check as unverified, without a token or an error', () => {
    expect(unverified).toEqual({ token: null, isVerified: false, isLoading: false, error: null });
  });

  test('ignores a second start after a passed captcha check', () => {
    const passed = after({ type: 'verify', token: 'abc' });
    expect(nextCaptchaState(passed, { type: 'start' })).toBe(passed);
  });

  test('clears the captcha error when the visitor tries again', () => {
    const failed = after({ type: 'error', provider: 'ALTCHA' });
    expect(failed.error).toBe('ALTCHA verification failed');
    expect(nextCaptchaState(failed, { type: 'start' })).toEqual({ ...unverified, isLoading: true });
  });

  test.each([
    [{ type: 'error', provider: 'hCaptcha' }, 'hCaptcha verification failed'],
    [{ type: 'error', provider: 'ALTCHA' }, 'ALTCHA verification failed'],
    [
      { type: 'error', provider: 'hCaptcha', message: 'network-error' },
      'hCaptcha verification error: network-error',
    ],
    [
      { type: 'error', provider: 'ALTCHA', message: 'no solution was found' },
      'ALTCHA verification error: no solution was found',
    ],
    [{ type: 'error', provider: 'ALTCHA', message: '' }, 'ALTCHA verification failed'],
    [{ type: 'expire', provider: 'hCaptcha' }, 'hCaptcha token expired. Please try again.'],
    [{ type: 'expire', provider: 'ALTCHA' }, 'ALTCHA token expired. Please try again.'],
  ] as const)('P11: shows after %j the message "%s", and removes the token', (event, words) => {
    const state = after({ type: 'verify', token: 'abc' }, event);
    expect(state).toEqual({ ...unverified, error: words });
  });

  test('returns to the initial captcha state on a reset after any attempt', () => {
    for (const before of [
      after({ type: 'start' }),
      after({ type: 'verify', token: 'abc' }),
      after({ type: 'error', provider: 'ALTCHA' }),
    ]) {
      expect(nextCaptchaState(before, { type: 'reset' })).toEqual(unverified);
    }
  });

  test('verifies a check exactly while it has a token, in any order of events', () => {
    const provider = constantFrom('ALTCHA' as const, 'hCaptcha' as const);
    const anEvent = oneof(
      record({ type: constantFrom('start' as const, 'reset' as const) }),
      record({ type: constantFrom('verify' as const), token: string({ minLength: 1 }) }),
      record({ type: constantFrom('expire' as const), provider }),
      record({ type: constantFrom('error' as const), provider, message: string() }),
    );
    assert(
      property(array(anEvent), option(anEvent), (events, last) => {
        const state = after(...(events as CaptchaEvent[]), ...(last ? [last as CaptchaEvent] : []));
        expect(state.isVerified).toBe(state.token !== null);
        // A check has one state at a time: loading, verified, or failed.
        const told = [state.isLoading, state.isVerified, state.error !== null];
        expect(told.filter(Boolean).length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

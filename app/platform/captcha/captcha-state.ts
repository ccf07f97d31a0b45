import { captchaMessages, type CaptchaProvider } from './captcha-messages.ts';

export interface CaptchaState {
  token: string | null;
  isVerified: boolean;
  isLoading: boolean;
  error: string | null;
}

export type CaptchaEvent =
  | { type: 'start' }
  | { type: 'verify'; token: string }
  | { type: 'error'; provider: CaptchaProvider; message?: string }
  | { type: 'expire'; provider: CaptchaProvider }
  | { type: 'reset' };

export const unverified: CaptchaState = {
  token: null,
  isVerified: false,
  isLoading: false,
  error: null,
};

/**
 * Returns the next state of a check: unverified → verified, and back by an error, its expiry or a
 * reset.
 */
export function nextCaptchaState(state: CaptchaState, event: CaptchaEvent): CaptchaState {
  switch (event.type) {
    case 'start':
      return state.isVerified ? state : { ...unverified, isLoading: true };
    case 'verify':
      return { token: event.token, isVerified: true, isLoading: false, error: null };
    case 'error': {
      const { provider, message } = event;
      const { error, failed } = captchaMessages;
      return { ...unverified, error: message ? error(provider, message) : failed(provider) };
    }
    case 'expire':
      return { ...unverified, error: captchaMessages.expired(event.provider) };
    case 'reset':
      return unverified;
  }
}

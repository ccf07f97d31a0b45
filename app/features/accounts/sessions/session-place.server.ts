import type { RouterContextProvider } from 'react-router';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { readDeviceCookie } from './device-mark.server.ts';
import type { SessionPlace } from './open-session.server.ts';
import { readCookie, sessionCookieName } from './session-cookie.server.ts';

/** Returns a request's address, browser and session. */
export function sessionPlace(
  context: Readonly<Pick<RouterContextProvider, 'get'>>,
  request: Request,
): { place: SessionPlace; oldToken: string | null } {
  const { origin } = appServices(context).env;
  return {
    place: {
      origin,
      address: requestFacts(context).address,
      userAgent: request.headers.get('user-agent') ?? '',
      deviceToken: readDeviceCookie(request, origin),
    },
    oldToken: readCookie(request, sessionCookieName(origin)),
  };
}

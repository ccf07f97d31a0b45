import { type ActionFunctionArgs, redirect } from 'react-router';
import { cookieHeaders } from '#app/features/accounts/answer-form.server.ts';
import {
  askForOwnPasskey,
  askForPasskey,
} from '#app/features/accounts/passkeys/passkey-challenge.server.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';

const neverCached = { 'cache-control': 'private, no-store' };

/**
 * `POST /api/passkeys/challenge` returns options for `navigator.credentials.get` to sign in. With
 * `?purpose=confirm`, the options are for the identity check of a signed-in user.
 */
export async function action({ context, request }: ActionFunctionArgs): Promise<Response> {
  const services = appServices(context);
  const admitted = await limit(services, 'passkey-challenge', requestFacts(context).address);
  if (!admitted.ok) return new Response(null, { status: 429, headers: retryAfter(admitted) });
  if (new URL(request.url).searchParams.get('purpose') === 'confirm') {
    const user = currentUser(context);
    if (!user) return new Response(null, { status: 401, headers: neverCached });
    return Response.json(await askForOwnPasskey(services, user), { headers: neverCached });
  }
  const { options, cookie } = await askForPasskey(services);
  const headers = cookieHeaders([cookie]);
  for (const [name, value] of Object.entries(neverCached)) headers.set(name, value);
  return Response.json(options, { headers });
}

export function loader() {
  throw redirect('/sign-in');
}

import type { Route } from './+types/passkey-endpoints-route';
import { appServices } from '#app/platform/app-context.server.ts';
import { answerConditionally } from './answer-conditionally.server.ts';

/**
 * The URL where a password manager offers a passkey (W3C, A Well-Known URL for Relying Party
 * Passkey Endpoints).
 */
export function loader({ context, request }: Route.LoaderArgs): Response {
  const page = `${appServices(context).env.origin}/profile/passkeys`;
  const body = JSON.stringify({ enroll: page, manage: page });
  return answerConditionally(request, body, 'application/json', 86_400);
}

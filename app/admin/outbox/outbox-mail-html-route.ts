import type { Route } from './+types/outbox-mail-html-route';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readOutboxMail } from './read-outbox-mail.server.ts';

/**
 * Returns the policy of an email's HTML: inline styles and our own pictures only, within frames of
 * our own pages only.
 */
const policyOf = (origin: string) =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox',
  ].join('; ');

/** Returns an email's HTML for the frame on its page. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'mail.read');
  const read = await readOutboxMail(context, viewer, params.id);
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(appServices(context).env.origin),
    'x-frame-options': 'SAMEORIGIN',
  };
  if (read?.content.state !== 'written') return new Response('Not found', { status: 404, headers });
  return new Response(read.content.written.html, { headers });
}

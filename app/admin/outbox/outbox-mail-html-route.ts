import type { Route } from './+types/outbox-mail-html-route';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { readOutboxMail } from './read-outbox-mail.server.ts';

/**
 * The policy of an email's HTML: inline styles only, since emails have no other styles, within
 * frames of our own pages only.
 */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
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
    'content-security-policy': policy,
    'x-frame-options': 'SAMEORIGIN',
  };
  if (read?.content.state !== 'written') return new Response('Not found', { status: 404, headers });
  return new Response(read.content.written.html, { headers });
}

import type { Route } from './+types/outbox-mail-html-route';
import { mailPreviewHeaders } from '#app/admin/frame/mail-preview-headers.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readOutboxMail } from './read-outbox-mail.server.ts';

/** Returns an email's HTML for the frame on its page. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'mail.read');
  const read = await readOutboxMail(context, viewer, params.id);
  const headers = mailPreviewHeaders(appServices(context).env.origin);
  if (read?.content.state !== 'written') return new Response('Not found', { status: 404, headers });
  return new Response(read.content.written.html, { headers });
}

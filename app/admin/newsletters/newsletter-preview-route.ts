import { redirect } from 'react-router';
import { mailPreviewHeaders } from '#app/admin/frame/mail-preview-headers.ts';
import { typedValues } from '#app/admin/frame/form-outcome.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { newsletterAdminMessages } from '#app/features/newsletter/newsletter-admin-messages.ts';
import { mostNewsletterBytes } from '#app/features/newsletter/newsletter-input.ts';
import { inScheme, previewUnsaved } from '#app/features/newsletter/preview-newsletter.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import type { Route } from './+types/newsletter-preview-route';

/** Redirects anyone who opens the URL of the preview to the editor. */
export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.manage');
  return redirect('/admin/newsletters/new');
}

/** Returns the email of the posted text as HTML, for the editor's preview. Nothing is saved. */
export async function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'newsletter.manage');
  const services = appServices(context);
  const headers = mailPreviewHeaders(services.env.origin);
  const values = typedValues(await readFormBody(request));
  const { subject = '', preview = '', content = '', scheme } = values;
  if (Buffer.byteLength(content) > mostNewsletterBytes) {
    return new Response(newsletterAdminMessages.contentTooLong, { status: 422, headers });
  }
  const { html } = await previewUnsaved(services, {
    subject: subject.slice(0, 150),
    preview: preview.slice(0, 150),
    content,
  });
  return new Response(inScheme(html, scheme === 'dark' ? 'dark' : 'light'), { headers });
}

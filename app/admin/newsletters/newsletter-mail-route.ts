import { mailPreviewHeaders } from '#app/admin/frame/mail-preview-headers.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { findNewsletter } from '#app/features/newsletter/managed-newsletter-queries.server.ts';
import { inScheme, previewNewsletter } from '#app/features/newsletter/preview-newsletter.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import type { Route } from './+types/newsletter-mail-route';

/**
 * Returns a newsletter's email as HTML for the preview frame. `?scheme=dark` selects the dark color
 * scheme.
 */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.manage');
  const services = appServices(context);
  const headers = mailPreviewHeaders(services.env.origin);
  const newsletter = await findNewsletter(services.db, parseRowId(params.id) ?? 0);
  if (!newsletter) return new Response('Not found', { status: 404, headers });
  const { html } = await previewNewsletter(services, newsletter);
  const isDark = new URL(request.url).searchParams.get('scheme') === 'dark';
  return new Response(inScheme(html, isDark ? 'dark' : 'light'), { headers });
}

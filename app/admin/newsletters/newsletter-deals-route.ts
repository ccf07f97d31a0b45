import { findEditorDeals } from '#app/admin/editor/read-editor-deals.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import type { Route } from './+types/newsletter-deals-route';

/** Returns live deals for a newsletter. */
export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.manage');
  return findEditorDeals(appServices(context).db, request.url);
}

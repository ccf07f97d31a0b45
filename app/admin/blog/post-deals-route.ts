import { findEditorDeals } from '#app/admin/editor/read-editor-deals.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import type { Route } from './+types/post-deals-route';

/** Returns live deals for a post. */
export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'blog.write');
  return findEditorDeals(appServices(context).db, request.url);
}

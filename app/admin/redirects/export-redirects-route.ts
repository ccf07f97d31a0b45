import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { exportRedirects } from '#app/features/catalog/redirect-table-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { csvResponse } from '#app/platform/csv.server.ts';
import type { Route } from './+types/export-redirects-route';

/** Exports all redirects as a file that can be uploaded again. */
export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.read');
  const { db, now } = appServices(context);
  const name = `redirects-${now().toISOString().slice(0, 10)}`;
  return csvResponse(name, ['from', 'to', 'status', 'visits', 'last visit'], exportRedirects(db));
}

import type { LoaderFunctionArgs } from 'react-router';
import { can } from '#app/features/accounts/policy.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { listRecentDeals } from '#app/features/deals/deal-list-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';

const headers = { 'cache-control': 'private, no-store' };

/**
 * `GET /api/test-data-access` returns up to three deals, to check that the session can read data.
 */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  const { db, env } = appServices(context);
  if (!env.sessionMonitor) return new Response(null, { status: 404, headers });
  const user = currentUser(context);
  if (!can(user?.role ?? null, 'session.monitor')) {
    return new Response(null, { status: 401, headers });
  }
  const deals = await listRecentDeals({ db }, 3);
  return Response.json({ deals: deals.map(({ id, title }) => ({ id, title })) }, { headers });
}

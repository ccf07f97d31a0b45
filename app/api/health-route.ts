import type { Route } from './+types/health-route';
import { readAnyDealId } from '#app/features/deals/deal-health-queries.server.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';

/**
 * Lets an open page check that the site still responds, since `/health/ready` is not for visitors.
 */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { db, log } = appServices(context);
  try {
    await readAnyDealId(db);
    return answer(200, { ok: true });
  } catch (error) {
    log.warn({ err: error, requestId: requestFacts(context).id }, 'the health check failed');
    return answer(503, { ok: false, error: 'The site cannot reach its data right now.' });
  }
}

function answer(status: number, body: { ok: boolean; error?: string }): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } });
}

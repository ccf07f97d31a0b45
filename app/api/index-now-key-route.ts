import { indexNowKey } from '#app/features/discovery/index-now-key.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { answerConditionally, answerNotFound } from './answer-conditionally.server.ts';
import type { Route } from './+types/index-now-key-route';

/** Serves the key by which IndexNow checks that notifications are the site's own. */
export async function loader({ context, request }: Route.LoaderArgs): Promise<Response> {
  const { db } = appServices(context);
  const { indexNow } = await readSiteSettings(db);
  if (!indexNow) return answerNotFound();
  return answerConditionally(request, await indexNowKey(db), 'text/plain', 300);
}

import type { Route } from './+types/llms-txt-route';
import text from '#content/llms.txt?raw';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { answerConditionally } from './answer-conditionally.server.ts';

/** Returns facts for AI clients, as llmstxt.org proposes. */
export async function loader({ context, request }: Route.LoaderArgs): Promise<Response> {
  const { db, env } = appServices(context);
  const { siteName } = await readSiteSettings(db);
  const body = text
    .replaceAll('{{origin}}', env.origin)
    .replace('{{name}}', () => siteName.replace(/\s+/g, ' '));
  return answerConditionally(request, body, 'text/plain', 86_400);
}

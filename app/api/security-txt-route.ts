import type { Route } from './+types/security-txt-route';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { answerConditionally } from './answer-conditionally.server.ts';

/** Names the contact for vulnerability reports (RFC 9116). */
export async function loader({ context, request }: Route.LoaderArgs): Promise<Response> {
  const { db, env, now } = appServices(context);
  const { contactEmail } = await readSiteSettings(db);
  const lines = [
    ...(contactEmail ? [`Contact: mailto:${contactEmail}`] : []),
    `Contact: ${env.origin}/contact`,
    `Expires: ${firstOfMonth(now(), 6).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${env.origin}/.well-known/security.txt`,
  ];
  return answerConditionally(request, `${lines.join('\n')}\n`, 'text/plain', 86_400);
}

/**
 * Returns a date half a year ahead. The date stays the same for a month, so that the file and its
 * hash do too.
 */
function firstOfMonth(now: Date, monthsAhead: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsAhead, 1));
}

import type { Route } from './+types/llms-txt-route';
import text from '#content/llms.txt?raw';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { listPageAddresses } from '#app/features/pages/page-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { answerConditionally } from './answer-conditionally.server.ts';

const mostPages = 100;

/** Returns facts for AI clients, as llmstxt.org proposes. */
export async function loader({ context, request }: Route.LoaderArgs): Promise<Response> {
  const { db, env } = appServices(context);
  const { siteName } = await readSiteSettings(db);
  const pages = await listPageAddresses(db, mostPages);
  const own = pages.map(({ slug, title }) => `- [${oneLine(title)}](${env.origin}/${slug})\n`);
  const body = text
    .replaceAll('{{origin}}', env.origin)
    .replace('{{name}}', () => oneLine(siteName))
    .replace('{{pages}}\n', () => own.join(''));
  return answerConditionally(request, body, 'text/plain', 86_400);
}

/** Returns the text escaped, so that it cannot break the file's lines or links. */
function oneLine(words: string): string {
  return words.replace(/[\s[\]]+/g, ' ').trim();
}

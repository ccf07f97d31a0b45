import type { Route } from './+types/llms-txt-route';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { answerConditionally } from './answer-conditionally.server.ts';

/** What a program that reads for a person should know first, as llmstxt.org proposes it. */
export async function loader({ context, request }: Route.LoaderArgs): Promise<Response> {
  const { db, env } = appServices(context);
  const { siteName } = await readSiteSettings(db);
  const link = (name: string, path: string, says: string) =>
    `- [${name}](${env.origin}${path}): ${says}`;
  const lines = [
    `# ${siteName.replace(/\s+/g, ' ')}`,
    '',
    '> Deals of many stores. Every price is logged when it is seen, and each deal says where its price stands in that log.',
    '',
    'Prices change: read them when they are asked for, and name the time. Links at /out/ count a click and are for people.',
    '',
    '## For people',
    '',
    link('Deals', '/deals', 'all live deals, with filters and search'),
    link('Categories', '/categories', 'by what they are'),
    link('Stores', '/merchants', 'by who sells them'),
    link('How we rank', '/how-we-rank', 'what the proofs and the order mean'),
    link('FAQ', '/faq', 'short answers'),
    '',
    '## For programs',
    '',
    link('Read API', '/openapi.json', 'deals, price histories, search, stores and categories'),
    link('Developers', '/developers', 'the same explained, keys and webhooks'),
    link('Feeds', '/feeds', 'RSS and JSON, also for one category, store or search'),
    link('Sitemap', '/sitemap.xml', 'every page'),
    '',
  ];
  return answerConditionally(request, lines.join('\n'), {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'public, max-age=86400',
  });
}

import type { Route } from './+types/robots-route';
import { listParameters, searchParameters } from '#app/features/deals/deal-list-input.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parameterNames } from '#app/platform/page-parameters.ts';
import { answerConditionally } from './answer-conditionally.server.ts';

export function loader({ context, request }: Route.LoaderArgs): Response {
  const { env } = appServices(context);
  // Parameters that only sort or filter a list, and so show the same deals in endless combinations.
  const { page: _page, ...narrowing } = listParameters('');
  const { query, isExact } = searchParameters('');
  const narrowingNames = parameterNames({ ...narrowing, query, isExact });
  const lines = [
    'User-agent: *',
    'Disallow: /out/',
    'Disallow: /api/',
    'Disallow: /deals?search=',
    ...narrowingNames.flatMap((name) => [`Disallow: /*?${name}=`, `Disallow: /*&${name}=`]),
    '',
    `Sitemap: ${env.origin}/sitemap.xml`,
    '',
  ];
  return answerConditionally(request, lines.join('\n'), 'text/plain', 3600);
}

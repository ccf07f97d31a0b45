import type { Route } from './+types/robots-route';
import { appServices } from '#app/platform/app-context.server.ts';

/** Parameters that only sort or narrow a list: the same deals again, in endless combinations. */
const listParameters = ['sort', 'status', 'seller', 'type', 'min', 'max', 'search', 'exact'];

export function loader({ context }: Route.LoaderArgs): Response {
  const { env } = appServices(context);
  const lines = [
    'User-agent: *',
    'Disallow: /out/',
    'Disallow: /api/',
    'Disallow: /deals?search=',
    ...listParameters.flatMap((name) => [`Disallow: /*?${name}=`, `Disallow: /*&${name}=`]),
    '',
    `Sitemap: ${env.origin}/sitemap.xml`,
    '',
  ];
  return new Response(lines.join('\n'), {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    },
  });
}

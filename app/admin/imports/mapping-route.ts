import type { Route } from './+types/mapping-route';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { findFeedSource } from '#app/features/feeds/sources/feed-source-queries.server.ts';
import { exportMapping } from '#app/features/feeds/sources/mapping-files.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { askedRow } from '#app/platform/asked-row.server.ts';
import { slugify } from '#database/slug.ts';

/** Exports a source's mapping as a file. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  const source = await askedRow(appServices(context).db, params.id, findFeedSource);
  const looksLike = new URL(request.url).searchParams.get('format') ?? undefined;
  const name = slugify(source.name) || 'mapping';
  return new Response(`${JSON.stringify(exportMapping(source, looksLike), null, 2)}\n`, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.json"`,
      'cache-control': 'no-store',
    },
  });
}

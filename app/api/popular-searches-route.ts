import type { LoaderFunctionArgs } from 'react-router';
import {
  popularSearches,
  type Suggestion,
} from '#app/features/search/suggestion-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';

/** `/api/popular-searches` returns `{ searches }` for the empty search box. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  const { db, log } = appServices(context);
  try {
    const searches = await popularSearches(db);
    return Response.json({ searches }, { headers: { 'cache-control': 'public, max-age=300' } });
  } catch (error) {
    log.error({ err: error }, 'popular searches failed');
    const searches: Suggestion[] = [];
    return Response.json({ searches }, { headers: { 'cache-control': 'no-store' } });
  }
}

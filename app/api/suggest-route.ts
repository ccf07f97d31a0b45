import type { LoaderFunctionArgs } from 'react-router';
import { suggest, type Suggestion } from '#app/features/search/suggestion-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';

/**
 * `/api/suggest?q=wire` returns `{ suggestions }`. The suggestions are the same for every visitor,
 * so browsers may cache them briefly.
 */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const { db, log } = appServices(context);
  try {
    const suggestions = await suggest(db, new URL(request.url).searchParams.get('q') ?? '');
    return Response.json({ suggestions }, { headers: { 'cache-control': 'public, max-age=30' } });
  } catch (error) {
    // The search itself still works, so this error is not shown.
    log.error({ err: error }, 'suggestions failed');
    const suggestions: Suggestion[] = [];
    return Response.json({ suggestions }, { headers: { 'cache-control': 'no-store' } });
  }
}

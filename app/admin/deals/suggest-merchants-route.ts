import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { suggestMerchants } from '#app/features/merchants/merchant-picker-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import type { Route } from './+types/suggest-merchants-route';

const longestText = 100;

/** Suggests merchant names while the user types. */
export async function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.read');
  const text = (new URL(request.url).searchParams.get('q') ?? '').replaceAll('\0', '');
  const { db } = appServices(context);
  return Response.json({
    names: await suggestMerchants(db, text.slice(0, longestText).toWellFormed()),
  });
}

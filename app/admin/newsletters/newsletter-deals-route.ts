import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { dealsTable } from '#app/features/deals/deals-table.ts';
import { listManagedDeals } from '#app/features/deals/managed-deal-queries.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { editorDeal } from './editor-deal.ts';
import type { Route } from './+types/newsletter-deals-route';

const mostFound = 8;

/** Returns live deals for a newsletter by the typed title, or the newest ones without a text. */
export async function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.manage');
  const { db } = appServices(context);
  const q = new URL(request.url).searchParams.get('q') ?? '';
  const asked = new URLSearchParams({ status: 'active', q });
  const [{ rows }, { currency }] = await Promise.all([
    listManagedDeals(db, parseTableQuery(dealsTable, asked)),
    readSiteSettings(db),
  ]);
  return { deals: rows.slice(0, mostFound).map((deal) => editorDeal(deal, currency, false)) };
}

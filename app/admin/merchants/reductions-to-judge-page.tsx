import { data } from 'react-router';
import type { Route } from './+types/reductions-to-judge-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { editableMerchants } from '#app/features/merchants/editable-merchants.server.ts';
import { leftOutWords, listOf, reductionLists } from '#app/features/prices/discount-check.ts';
import {
  findStoreCheck,
  listReductions,
} from '#app/features/prices/discount-check-queries.server.ts';
import { leaveOutReduction } from '#app/features/prices/leave-out-reduction.server.ts';
import { showReduction } from '#app/features/prices/show-reduction.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { shortDate } from '#app/platform/time-words.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { pageOf, rowsPerPage, type TableSpec } from '#app/platform/table-query.ts';
import type { LeaveOutReason } from '#database/schema/catalog-tables.ts';
import { Link } from '#app/ui/link.tsx';
import type { Column } from '../frame/data-table.tsx';
import { listAddress, redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import { ListScreen } from '../frame/list-screen.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readList } from '../frame/read-list.server.ts';
import type { RowAct } from '../frame/row-acts.tsx';
import { RowName } from '../frame/row-name.tsx';
import { StatusPill } from '../frame/status-pill.tsx';
import { titled } from '../frame/titled.ts';

/** Shows the sale prices of one merchant, from which staff exclude errors of the feed. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.read');
  const { db, now } = appServices(context);
  const merchant = await editableMerchants.find(db, parseRowId(params.id) ?? 0);
  if (!merchant) throw data(null, { status: 404 });
  const { id: merchantId, name, slug } = merchant;
  const [{ check }, settings] = await Promise.all([
    findStoreCheck(db, merchantId),
    readSiteSettings(db),
  ]);
  return readList(request, context, {
    spec: specOf(merchantId),
    what: 'reductions',
    page: async (tx, query) => {
      const show = reductionLists.find((one) => one === query.filters.show) ?? 'all';
      const total = check ? listOf(check, show).count : 0;
      const { offset, ...place } = pageOf(query, total);
      const wanted = { merchantId, list: show, until: check?.counted_at ?? now() };
      const rows = await listReductions(tx, wanted, { limit: rowsPerPage, offset });
      return {
        ...place,
        total,
        rows: rows.map((row) => ({
          id: `${row.deal_id}.${row.began_at.getTime()}`,
          dealId: row.deal_id,
          title: row.title,
          leftOut: row.left_out,
          ...showReduction({ ...row, hide_price_after_hours: null }, settings, now()),
        })),
      };
    },
    figures: async () => ({
      merchant: { id: merchantId, name, slug },
      lists: check ? reductionLists.map((one) => ({ show: one, ...listOf(check, one) })) : [],
    }),
  });
}

const intents: Record<LeaveOutReason, string> = {
  currency: 'leave-out-currency',
  pack: 'leave-out-pack',
  price: 'leave-out-price',
  other: 'leave-out-other',
};
const reasons = Object.keys(leftOutWords) as LeaveOutReason[];

/** Excludes a reduction for a reason, or includes it again. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { id: actor } = requireRight(context, 'catalog.write');
  const { db, intent, text } = await readPost(context, request);
  const merchantId = parseRowId(params.id);
  const [dealId, beganAt, ...more] = text('id').split('.').map(parseRowId);
  const reason = reasons.find((one) => intents[one] === intent) ?? null;
  const isKnown = reason !== null || intent === 'count';
  if (!merchantId || !dealId || !beganAt || more.length > 0 || !isKnown) {
    throw data(null, { status: 400 });
  }
  const here = listAddress(request);
  const one = { merchantId, dealId, beganAt: new Date(beganAt), actor };
  const done = await leaveOutReduction(db, one, reason);
  if (!done) return redirectWithError(context, here, 'Someone else did that in the meantime.');
  const undo = { label: 'Undo', action: here, fields: { intent: 'count', id: text('id') } };
  return reason
    ? redirectWithFlash(context, here, 'The reduction is left out.', { undo })
    : redirectWithFlash(context, here, 'The reduction counts again.');
}

export const meta = titled('Discount check');

type Rows = Extract<Route.ComponentProps['loaderData'], { ok: true }>;
type Row = Rows['page']['rows'][number];

function specOf(merchantId: number) {
  return {
    path: `/admin/merchants/${merchantId}/discount-check`,
    sorts: ['newest'],
    defaultSort: 'newest',
    filters: { show: reductionLists.filter((list) => list !== 'all') },
  } satisfies TableSpec<string, string>;
}

const variants = { matches: 'good', smaller: 'warn', none: 'warn', unknown: 'plain' } as const;

export default function ReductionsToJudgePage({ loaderData }: Route.ComponentProps) {
  const { timeZone } = useSite();
  if (!loaderData.ok) return <LoadFailure title="Discount check" failure={loaderData} />;
  const { merchant, lists } = loaderData.figures;
  const spec = specOf(merchant.id);
  return (
    <ListScreen
      title={`Discount check of ${merchant.name}`}
      about={
        <>
          What the price log shows for each price reduction announced in 90 days, as on{' '}
          <Link to={`/merchants/${merchant.slug}/discount-check`}>its page</Link>. Leave one out
          only if the feed was wrong, not the merchant: the page counts it as left out, with the
          reason. The merchant can comment on all of them:{' '}
          <Link to={`/admin/merchants/${merchant.id}/edit`}>Write its reply</Link>
        </>
      }
      spec={spec}
      list={loaderData}
      noun={{ one: 'reduction', many: 'reductions' }}
      nameOf={({ title }) => title}
      stats={lists
        .filter(({ show }) => !['smaller', 'never-seen', 'unchecked'].includes(show))
        .map(({ show, title, count }) => ({
          label: title,
          value: count,
          href: show === 'all' ? spec.path : `${spec.path}?show=${show}`,
        }))}
      searchLabel={null}
      filters={[
        {
          name: 'show',
          label: 'Show',
          options: lists
            .filter(({ show }) => show !== 'all')
            .map(({ show, title }) => ({ value: show, label: title })),
        },
      ]}
      columns={columnsIn(timeZone)}
      actsOf={actsOf}
      empty={{
        icon: 'store',
        title: 'No reductions',
        hint: 'The discount check finds them within an hour, if the merchant’s prices may be logged.',
      }}
    />
  );
}

function columnsIn(timeZone: string): Column<Row, 'newest'>[] {
  return [
    {
      label: 'Reduction',
      cell: ({ dealId, title, announced, began_at }) => (
        <RowName
          href={`/admin/deals/${dealId}/edit`}
          name={title}
          note={`${shortDate(began_at, timeZone)} · ${announced}`}
        />
      ),
    },
    { label: 'Our log', cell: ({ facts }) => facts.join(' ') },
    {
      label: 'Verdict',
      cell: ({ leftOut, verdict }) => (
        <StatusPill variant={leftOut ? 'plain' : variants[verdict.kind]}>
          {verdict.words}
        </StatusPill>
      ),
    },
  ];
}

function actsOf({ leftOut }: Row): RowAct[] {
  if (leftOut) return [{ label: 'Count it again', intent: 'count' }];
  return reasons.map((reason) => ({
    label: `Leave out: ${leftOutWords[reason].toLowerCase()}`,
    intent: intents[reason],
  }));
}

import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { clickRanges, parseClicksAsked } from '#app/features/clicks/click-range.ts';
import {
  type EarningKind,
  type EarningTotal,
  groupEarnings,
  listEarningImports,
  listEarnings,
  sumEarnings,
} from '#app/features/earnings/earning-figures.server.ts';
import { undoSalesImport } from '#app/features/earnings/import-sales.server.ts';
import { listSilentStores } from '#app/features/earnings/silent-stores.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { ChipLink } from '#app/ui/chip.tsx';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readOrFail } from '../frame/read-or-fail.server.ts';
import { StatCards } from '../frame/stat-cards.tsx';
import { titled } from '../frame/titled.ts';
import { EarningTable, GroupTable, ImportTable, SilentStores } from './earning-lists.tsx';
import { earningsHref } from './earnings-href.ts';
import styles from './earnings-page.module.css';
import type { Route } from './+types/earnings-page';

const shownOfEach = 10;
const importsShown = 20;

export function loader({ request, context }: Route.LoaderArgs) {
  const user = requireRight(context, 'earnings.read');
  const { db, now } = appServices(context);
  const { days } = parseClicksAsked(new URL(request.url).searchParams);
  const at = now();
  const top = (kind: EarningKind) => listEarnings(db, kind, { days, now: at, limit: shownOfEach });
  return readOrFail(context, 'earnings', async () => {
    const [
      totals,
      stores,
      deals,
      categories,
      newsletters,
      feeds,
      sources,
      networks,
      imports,
      silent,
    ] = await Promise.all([
      sumEarnings(db, days, at),
      top('merchant'),
      top('deal'),
      top('category'),
      top('newsletter'),
      top('feed'),
      groupEarnings(db, 'channel', days, at),
      groupEarnings(db, 'network', days, at),
      listEarningImports(db, importsShown),
      listSilentStores(db, at),
    ]);
    const tables = { stores, deals, categories, newsletters, feeds };
    const canWrite = user.rights.has('earnings.write');
    return { days, totals, tables, sources, networks, imports, silent, canWrite };
  });
}

/** Undoes an import. */
export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'earnings.write').id;
  const { db, rowId } = await readPost(context, request);
  const undone = await undoSalesImport(db, rowId('id') ?? 0, actor);
  if (!undone.ok) return redirectWithError(context, '/admin/earnings', undone.reason);
  const said = `Import undone: ${countNoun(undone.sales, 'sale')} restored or removed.`;
  return redirectWithFlash(context, '/admin/earnings', said);
}

export const meta = titled('Earnings');

export default function EarningsPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Earnings" failure={loaderData} />;
  const { days, totals, tables, sources, networks, imports, silent, canWrite } = loaderData;
  const span = clickRanges.find((range) => range.days === days)?.label ?? '';
  return (
    <div className={`stack gap-5 ${styles.page}`}>
      <AdminHeading
        title="Earnings"
        more={
          <>
            <ButtonLink to={earningsHref(days, '/admin/earnings/export')} isDocument>
              Export CSV
            </ButtonLink>
            {canWrite ? <ButtonLink to="/admin/earnings/postbacks">Postbacks</ButtonLink> : null}
            {canWrite ? (
              <ButtonLink to="/admin/earnings/upload" variant="primary">
                Upload report
              </ButtonLink>
            ) : null}
          </>
        }
      >
        Commissions that affiliate networks report, beside the clicks they come from.
      </AdminHeading>
      <nav aria-label="Range" className="row gap-2">
        {clickRanges.map((range) => (
          <ChipLink key={range.days} to={earningsHref(range.days)} isCurrent={range.days === days}>
            {range.label}
          </ChipLink>
        ))}
      </nav>
      <SilentStores stores={silent} />
      {totals.length === 0 ? (
        <p className={styles.panel}>
          {imports.length === 0
            ? 'No network has reported a sale yet. Upload a report that you downloaded from your network.'
            : `No sale in the last ${span}.`}
        </p>
      ) : (
        <>
          <StatCards stats={statsOf(totals)} />
          <EarningTable title="Stores" kind="merchant" rows={tables.stores} />
          <EarningTable title="Deals" kind="deal" rows={tables.deals} />
          <EarningTable title="Categories" kind="category" rows={tables.categories} />
          <EarningTable title="Newsletters" kind="newsletter" rows={tables.newsletters} />
          <EarningTable title="Feeds" kind="feed" rows={tables.feeds} />
          <div className={styles.groups}>
            <GroupTable title="Sources of clicks" by="channel" rows={sources} />
            <GroupTable title="Networks" by="network" rows={networks} />
          </div>
        </>
      )}
      <ImportTable imports={imports} canUndo={canWrite} />
      <HowCounted />
    </div>
  );
}

/** Lists amounts by currency. Only the numbers of sales are added up across currencies. */
function statsOf(totals: readonly EarningTotal[]) {
  const sum = (count: (total: EarningTotal) => number) =>
    totals.reduce((all, total) => all + count(total), 0);
  return [
    ...totals.flatMap(({ currency, amount, pending }) => [
      { label: `Earned, ${currency}`, value: formatMoney(amount, currency) },
      { label: `Pending, ${currency}`, value: formatMoney(pending, currency) },
    ]),
    { label: 'Sales', value: sum(({ sales }) => sales) },
    { label: 'Declined', value: sum(({ declined }) => declined) },
    { label: 'Without a source', value: sum(({ unmatched }) => unmatched) },
  ];
}

/** Explains the statistics, for people who make decisions based on them. */
function HowCounted() {
  return (
    <section className={styles.panel} aria-labelledby="rule">
      <h2 id="rule">How earnings are counted</h2>
      <ul className={styles.rule}>
        <li>
          Links to a network carry a sub-id that names deal, source and day. The network returns it
          with the sale. It does not identify visitors.
        </li>
        <li>
          A sale counts on the day that the network reports, once per transaction id. Pending sales
          count until the network declines them.
        </li>
        <li>
          Earnings per click divide the sales of the period by its clicks. Sales of a newsletter and
          its clicks count since it was sent.
        </li>
        <li>Currencies are never converted or added up.</li>
        <li>Earnings never affect the order of deals, stores or search results.</li>
      </ul>
    </section>
  );
}

import { data } from 'react-router';
import type { Route } from './+types/imports-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { StatCards } from '#app/admin/frame/stat-cards.tsx';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { type Earned, earningsOf } from '#app/features/earnings/earning-figures.server.ts';
import { formatPerClick } from '#app/features/earnings/format-earned.ts';
import { countProductQuestions } from '#app/features/feeds/review/answer-products.server.ts';
import { countSuggestions } from '#app/features/products/suggestion-queue.server.ts';
import {
  listFeedSources,
  type SourceOverview,
} from '#app/features/feeds/sources/feed-source-queries.server.ts';
import { countHeldPrices } from '#app/features/deals/held-prices.server.ts';
import { listImportRuns } from '#app/features/feeds/runs/import-log-queries.server.ts';
import { queueImport } from '#app/features/feeds/runs/queue-import.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PostButton } from '#app/ui/act-form.tsx';
import { Link } from '#app/ui/link.tsx';
import { type PlainColumn, PlainTable, readPlainPage } from '../frame/plain-table.tsx';
import { formatLabel } from '#app/features/feeds/formats/feed-formats.server.ts';
import { scheduleWords } from './import-words.ts';
import { RunState, RunsTable } from './run-tables.tsx';
import styles from './imports.module.css';

export function loader({ request, context }: Route.LoaderArgs) {
  const { rights } = requireRight(context, 'feeds.import');
  const { db, now } = appServices(context);
  return readOrFail(context, 'imports', async () => {
    const [sources, held, products, duplicates, runs] = await Promise.all([
      listFeedSources(db),
      countHeldPrices(db),
      countProductQuestions(db),
      countSuggestions(db),
      readPlainPage(request, (cut) => listImportRuns(db, cut)),
    ]);
    const ids = rights.has('earnings.read') ? sources.map(({ id }) => id) : [];
    const earned = await earningsOf(db, 'feed', ids, { days: 30, now: now() });
    const labelled = sources.map((source) => ({
      ...source,
      format: formatLabel(source.format),
      earned: earned.get(source.id),
    }));
    return {
      sources: labelled,
      held,
      products,
      duplicates,
      runs,
      now: now(),
    };
  });
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'feeds.import');
  const { db, intent, rowId } = await readPost(context, request);
  const sourceId = rowId('id');
  if (intent !== 'run' || sourceId === null) throw data(null, { status: 400 });
  const run = await queueImport(db, { sourceId, actor: user.id });
  if (run === null) throw data(null, { status: 404 });
  return redirectWithFlash(context, `/admin/imports/runs/${run}`, 'The import has started.');
}

export const meta = () => [{ title: 'Imports' }];

export default function ImportsPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Imports" failure={loaderData} />;
  const { sources, held, products, duplicates, runs, now } = loaderData;
  const live = sources.reduce((sum, source) => sum + source.live_deals, 0);
  return (
    <div className={styles.page}>
      <AdminHeading title="Imports" action={{ href: '/admin/imports/new', label: 'New import' }}>
        Product feeds of merchants and networks, once or on a schedule.
      </AdminHeading>
      <StatCards
        stats={[
          { label: 'Sources', value: sources.length },
          { label: 'Live deals from feeds', value: live },
          { label: 'Prices to review', value: held, href: '/admin/imports/held' },
          { label: 'Products to review', value: products, href: '/admin/imports/products' },
          {
            label: 'Possible duplicates',
            value: duplicates,
            href: '/admin/imports/duplicates',
          },
        ]}
      />
      <section className={styles.part} aria-labelledby="sources">
        <h2 id="sources">Sources</h2>
        <PlainTable
          noun={{ one: 'source', many: 'sources' }}
          page={sources}
          columns={sourceColumns(now)}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          empty={
            <MessagePanel icon="tag" title="No sources yet" level={3}>
              <p>
                Import a merchant’s feed from a file, an address or a folder. You preview all
                changes first.
              </p>
              <ButtonLink to="/admin/imports/new" variant="primary" className={styles.first}>
                New import
              </ButtonLink>
            </MessagePanel>
          }
        />
      </section>
      <section className={styles.part} aria-labelledby="runs">
        <h2 id="runs">Runs</h2>
        <RunsTable page={runs} path="/admin/imports" now={now} />
      </section>
    </div>
  );
}

function RunNow({ id, name, kind }: SourceOverview) {
  if (kind === 'upload') {
    return (
      <Link to={`/admin/imports/sources/${id}#upload`}>
        Upload<span className="visually-hidden"> a file for {name}</span>
      </Link>
    );
  }
  return (
    <PostButton fields={{ intent: 'run', id }}>
      Run now<span className="visually-hidden">: {name}</span>
    </PostButton>
  );
}

function sourceColumns(
  now: Date,
): PlainColumn<SourceOverview & { earned: Earned[] | undefined }>[] {
  return [
    {
      label: 'Source',
      cell: (source) => (
        <>
          <Link to={`/admin/imports/sources/${source.id}`} data-key-open data-key-edit>
            {source.name}
          </Link>
          <span className={styles.sub}>{source.merchant}</span>
        </>
      ),
    },
    {
      label: 'Feed',
      cell: ({ kind, format }) => (
        <>
          {{ upload: 'Upload', url: 'Address', folder: 'Folder' }[kind]}
          <span className={styles.sub}>{format}</span>
        </>
      ),
    },
    {
      label: 'Live deals',
      isNumber: true,
      cell: ({ live_deals }) => live_deals.toLocaleString('en-US'),
    },
    {
      label: 'Clicks, 30 days',
      isNumber: true,
      cell: ({ id, clicks, earned }) => (
        <>
          <Link to={`/admin/clicks?feed=${id}`}>{clicks.toLocaleString('en-US')}</Link>
          {earned && clicks > 0 ? (
            <span className={styles.sub}>{formatPerClick(earned, clicks)} per click</span>
          ) : null}
        </>
      ),
    },
    {
      label: 'Schedule',
      cell: ({ schedule_minutes, is_active, next_run_at }) => {
        if (schedule_minutes === null) return 'Manual';
        if (!is_active) return <StatusPill variant="plain">Paused</StatusPill>;
        return (
          <>
            {scheduleWords(schedule_minutes)}
            {next_run_at ? (
              <span className={styles.sub}>
                next{' '}
                {next_run_at > now ? <RelativeTime at={next_run_at} now={now} /> : 'in a moment'}
              </span>
            ) : null}
          </>
        );
      },
    },
    {
      label: 'Last run',
      cell: ({ last_run_id, last_state, last_rollback, last_at }) =>
        last_run_id === null || last_state === null || last_at === null ? (
          'Never'
        ) : (
          <>
            <Link to={`/admin/imports/runs/${last_run_id}`}>
              <RelativeTime at={last_at} now={now} />
            </Link>{' '}
            <RunState state={last_state} rollback={last_rollback} />
          </>
        ),
    },
    { label: 'Repeat', cell: (source) => <RunNow {...source} /> },
  ];
}

import { data } from 'react-router';
import type { Route } from './+types/run-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { countOf } from '#app/admin/frame/describe-rows.ts';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { StatCards } from '#app/admin/frame/stat-cards.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { answerEndings } from '#app/features/feeds/review/answer-endings.server.ts';
import {
  findImportRun,
  listRunIssues,
  readRunPulse,
} from '#app/features/feeds/runs/import-log-queries.server.ts';
import { cancelImport, queueImport } from '#app/features/feeds/runs/queue-import.server.ts';
import { describeDisk } from '#app/features/feeds/sources/disk-space.server.ts';
import { askForRollback } from '#app/features/feeds/review/roll-back-import.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { askedRow } from '#app/platform/asked-row.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { isOver } from './import-words.ts';
import { sentence } from './new-source.server.ts';
import { RunActs } from './run-acts.tsx';
import { DryRunResults, readDryRun } from './dry-run-results.tsx';
import { RollbackProgress, RunProgress } from './run-progress.tsx';
import { FieldChanges, FeedSummary, PriceChanges } from './run-changes.tsx';
import { RunIssues, RunState } from './run-tables.tsx';
import styles from './imports.module.css';

const shownIssues = 50;

export async function loader({ params, context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  const { db, env, now } = appServices(context);
  const { preview, error, rehearsal, ...run } = await askedRow(db, params.id, findImportRun);
  const [issues, pulse] = await Promise.all([
    listRunIssues(db, run.id, shownIssues + 1),
    readRunPulse(db, run.id),
  ]);
  return {
    run,
    fault: error === null ? null : sentence(error),
    preview: preview ?? [],
    dryRun: readDryRun(rehearsal),
    pulse,
    issues: issues.slice(0, shownIssues),
    hasMoreIssues: issues.length > shownIssues,
    disk: run.is_dry_run && run.file !== null ? await describeDisk(env, run.file) : null,
    now: now(),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const user = requireRight(context, 'feeds.import');
  const run = await askedRow(appServices(context).db, params.id, findImportRun);
  const { db, form, intent } = await readPost(context, request);
  const { id } = run;
  const say = (words: string, kind: 'info' | 'error' = 'info', runId = id) =>
    redirectWithFlash(context, `/admin/imports/runs/${runId}`, words, { kind });
  switch (intent) {
    case 'cancel':
      return (await cancelImport(db, id))
        ? say('The import stops after the current batch.')
        : say('The import has already ended.', 'error');
    case 'import': {
      if (!run.is_dry_run || run.feed_source_id === null) break;
      const next = await queueImport(db, {
        sourceId: run.feed_source_id,
        actor: user.id,
        mayEndMany: form.get('may_end_many') === 'on',
        ...(run.file !== null && {
          file: { path: run.file, name: run.file_name ?? run.source_name },
        }),
      });
      return say('The import has started.', 'info', next ?? id);
    }
    case 'end':
    case 'keep': {
      const answer = await answerEndings(db, user.id, id, intent === 'end');
      if (answer.ok) {
        const ended = countOf(answer.ended, { one: 'deal', many: 'deals' });
        return say(answer.ended > 0 ? `${ended} ended.` : 'The deals are kept.');
      }
      return say(
        answer.reason === 'busy' ? busy : 'The question has already been answered.',
        'error',
      );
    }
    case 'roll-back': {
      const result = await askForRollback(db, user.id, id);
      if (result.ok) {
        if ('isQueued' in result) return say('The rollback has started.');
        const { skipped } = result.counts;
        return say(
          skipped === 0
            ? 'The import was rolled back.'
            : `${countOf(skipped, { one: 'deal was', many: 'deals were' })} skipped. See the table below for the reasons.`,
        );
      }
      const words = {
        'not-found': 'This run cannot be rolled back.',
        busy,
        'still-running': 'The import is still running. Cancel it first.',
        'nothing-to-undo': 'There is nothing to roll back.',
        stopped: 'The site is shutting down. Try again in a moment.',
      };
      return say(words[result.reason], 'error');
    }
  }
  throw data(null, { status: 400 });
}

const busy = 'Another import is running. Try again when it has finished.';

export const meta = ({ params }: Route.MetaArgs) => [{ title: `Import ${params.id}` }];

export default function RunPage({ loaderData }: Route.ComponentProps) {
  const { run, fault, preview, dryRun, pulse, issues, hasMoreIssues, disk, now } = loaderData;
  const isRollingBack = run.rolled_back_by !== null && run.state !== 'rolled_back';
  return (
    <div className={styles.page}>
      <AdminHeading title={run.is_dry_run ? `Dry run ${run.id}` : `Import ${run.id}`}>
        {titleOf(run)} <RunState {...run} /> <RelativeTime at={run.started_at} now={now} />
        {run.started_by_name ? ` by ${run.started_by_name}` : ''}
      </AdminHeading>
      {isOver(run.state) || !pulse ? null : <RunProgress runId={run.id} pulse={pulse} />}
      {fault === null ? null : (
        <p className={styles.failure} role="alert">
          {fault}
          {run.state === 'failed' ? ' Nothing was changed.' : ''}
        </p>
      )}
      <StatCards
        stats={[
          { label: 'New', value: run.rows_new },
          { label: 'Changed', value: run.rows_changed },
          { label: 'Unchanged', value: run.rows_unchanged },
          { label: run.is_dry_run ? 'Ending' : 'Ended', value: run.rows_ended },
          { label: 'Rejected', value: run.rows_rejected },
          { label: 'Held for review', value: run.rows_held, href: '/admin/imports/held' },
        ]}
      />
      {run.encoding === null ? null : <p className={styles.lead}>Encoding: {run.encoding}</p>}
      {run.rows_folded > 0 ? (
        <p className={styles.lead}>
          {run.rows_folded.toLocaleString('en-US')} variants were merged: each group is one deal, at
          the price of its cheapest variant in stock.
        </p>
      ) : null}
      {run.is_dry_run && run.source_content !== 'coupons' ? <FeedSummary run={run} /> : null}
      {dryRun === null ? null : (
        <DryRunResults dryRun={dryRun} endingCount={run.rows_ended} now={now} />
      )}
      {isRollingBack ? (
        <RollbackProgress
          left={run.undoable - (run.rollback?.['skipped'] ?? 0)}
          counts={run.rollback ?? {}}
        />
      ) : (
        <>
          {run.rollback ? (
            <RollbackFacts counts={run.rollback} isWhole={run.state === 'rolled_back'} />
          ) : null}
          <RunActs run={run} disk={disk} />
        </>
      )}
      <PriceChanges
        changes={preview.filter(
          ({ before, before_currency: unit, after }) =>
            before !== after || (unit ?? run.currency) !== run.currency,
        )}
        currency={run.currency}
      />
      <FieldChanges changes={preview} currency={run.currency} />
      <RunIssues issues={issues} hasMore={hasMoreIssues} />
    </div>
  );
}

/** Omits the merchant, since a source's name usually contains it. */
function titleOf(run: { source: string | null; source_name: string; merchant: string | null }) {
  const source = run.source ?? run.source_name;
  return run.merchant === null || source.includes(run.merchant)
    ? source
    : `${source}, ${run.merchant}`;
}

function RollbackFacts({ counts, isWhole }: { counts: Record<string, number>; isWhole: boolean }) {
  const { restored = 0, removed = 0, hidden = 0, skipped = 0 } = counts;
  return (
    <p className={styles.lead}>
      {`${isWhole ? 'Rolled back' : 'Partly rolled back'}: ${restored} restored, ${removed} new ones removed, ${hidden} hidden because someone saved or followed them, ${skipped} skipped because they were changed since. The source is paused.`}
    </p>
  );
}

import { data } from 'react-router';
import type { Route } from './+types/duplicates-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { listAddress, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  judgePair,
  undoDecision,
  type Verdict,
  verdicts,
} from '#app/features/products/judge-pair.server.ts';
import {
  countSuggestions,
  findLastDecision,
  listSuggestions,
  readRuleRecords,
  suggestionsPerPage,
} from '#app/features/products/suggestion-queue.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { leadToLastPage, readPageNumber } from '#app/platform/page-number.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { showToast } from '#app/ui/show-toast.ts';
import { DecisionBar } from './decision-bar.tsx';
import { PairCard } from './pair-card.tsx';
import { pairIdOf, useMatchQueue } from './use-match-queue.ts';
import styles from './match-queue.module.css';

export function loader({ request, context }: Route.LoaderArgs) {
  const user = requireRight(context, 'feeds.import');
  const { db } = appServices(context);
  const page = readPageNumber(new URL(request.url).searchParams.get('page')) ?? 1;
  return readOrFail(context, 'duplicates', async () => {
    const count = await countSuggestions(db);
    const pageCount = Math.max(1, Math.ceil(count / suggestionsPerPage));
    leadToLastPage(request, pageCount, Infinity);
    const [suggestions, records, last] = await Promise.all([
      listSuggestions(db, page),
      readRuleRecords(db),
      findLastDecision(db, user.id),
    ]);
    return { suggestions, records, last, count, page, pageCount };
  });
}

const done: Record<Verdict, string> = {
  same: 'They are now offers of one product.',
  different: 'They now count as two products.',
  variant: 'They are now variants of one product.',
  hide: 'The deal was hidden; the other one stays.',
};

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'feeds.import');
  const { db, intent, rowId, text } = await readPost(context, request);
  const answer = (isDone: boolean, words: string) =>
    text('in-place') === ''
      ? redirectWithFlash(context, listAddress(request), words, { kind: isDone ? 'info' : 'error' })
      : { isDone, words };
  if (intent === 'undo') {
    const id = rowId('id') ?? (await findLastDecision(db, user.id))?.id ?? 0;
    const isUndone = await undoDecision(db, user.id, id);
    return answer(
      isUndone,
      isUndone
        ? 'The decision was undone.'
        : 'It can no longer be undone: something has changed since.',
    );
  }
  const verdict = verdicts.find((one) => one === intent);
  const [one, other] = [rowId('deal'), rowId('other')];
  if (one === null || other === null || !verdict) throw data(null, { status: 400 });
  const isJudged = await judgePair(db, user.id, verdict, { one, other });
  return answer(isJudged, isJudged ? done[verdict] : 'They are no longer duplicates.');
}

/** Shows the outcome of a decision without leaving the page. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  const outcome = await serverAction();
  showToast(outcome.words, { kind: outcome.isDone ? 'info' : 'error' });
  return outcome;
}

export const meta = () => [{ title: 'Possible duplicates' }];

export default function DuplicatesPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Possible duplicates" failure={loaderData} />;
  return <Queue {...loaderData} />;
}

type Loaded = Extract<Route.ComponentProps['loaderData'], { ok: true }>;

function Queue({ suggestions, records, last, count, page, pageCount }: Loaded) {
  const queue = useMatchQueue(suggestions, last);
  const hrefOf = (n: number) => `/admin/imports/duplicates${n > 1 ? `?page=${n}` : ''}`;
  const next = page < pageCount ? hrefOf(page + 1) : null;
  return (
    <div className={styles.page}>
      <AdminHeading
        title="Possible duplicates"
        stats={count > 0 ? <span className={styles.count}>{countNoun(count, 'pair')}</span> : null}
      >
        Pairs of live deals that may be one product, the most likely first. Only equal GTINs link by
        themselves; you decide on the rest.
      </AdminHeading>
      <DecisionBar hasPairs={queue.shown.length > 0} last={last} onUndo={queue.undo} />
      {queue.shown.length === 0 ? (
        <MessagePanel icon="tag" title="No duplicates" level={2}>
          <p>New pairs appear after imports that add or change deals.</p>
        </MessagePanel>
      ) : (
        queue.shown.map((suggestion, n) => {
          const following = queue.shown[n + 1];
          return (
            <PairCard
              key={pairIdOf(suggestion)}
              suggestion={suggestion}
              record={records[suggestion.reason]}
              isCurrent={suggestion === queue.current}
              skipTo={following ? `#${pairIdOf(following)}` : next}
              onDecide={(verdict) => queue.decide(suggestion, verdict)}
              onSkip={following ? () => queue.focusOn(following) : undefined}
            />
          );
        })
      )}
      <Pager page={page} pageCount={pageCount} hrefOf={hrefOf} label="Pages of pairs" />
    </div>
  );
}

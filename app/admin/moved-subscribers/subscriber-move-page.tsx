import { data } from 'react-router';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { OutcomeSections } from '#app/admin/move-in/outcome-sections.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { redirectWithError, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { titled } from '#app/admin/frame/titled.ts';
import { useAskAgain } from '#app/admin/frame/use-ask-again.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  advanceSubscriberMove,
  chooseForMove,
  longestSource,
  startSubscriberMove,
  undoSubscriberMove,
} from '#app/features/moved-subscribers/run-subscriber-move.server.ts';
import {
  countOutcomes,
  findSubscriberMove,
  listFirstRows,
  type MoveRow,
  type SubscriberMove,
} from '#app/features/moved-subscribers/subscriber-move-queries.server.ts';
import {
  describeOutcome,
  outcomes,
  sumOutcomes,
} from '#app/features/moved-subscribers/subscriber-outcomes.ts';
import type { PlainColumn } from '#app/admin/frame/plain-table.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { moveStates } from '#app/platform/move-states.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/subscriber-move-page';
import { type MoveErrors, MoveForm } from './move-form.tsx';

const list = '/admin/move-in/subscribers';
/** batches that run at once, so that a short list is done when the page is shown */
const batchesAtOnce = 5;

export async function loader({ context, params }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.manage');
  const { db } = appServices(context);
  const move = await findSubscriberMove(db, parseRowId(params.id) ?? 0);
  if (!move) throw data(null, { status: 404 });
  return { move, counts: await countOutcomes(db, move), rows: await listFirstRows(db, move) };
}

/** Updates a preview, starts its import, or undoes it. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const actor = requireRight(context, 'newsletter.manage').id;
  const { db, form, text, intent } = await readPost(context, request);
  const id = parseRowId(params.id) ?? 0;
  const here = `${list}/${id}`;
  if (!(await findSubscriberMove(db, id))) throw data(null, { status: 404 });
  if (intent === 'undo') {
    if (!(await undoSubscriberMove(db, id, actor)))
      return redirectWithError(context, here, 'This move has not started or was already undone.');
    await advanceSubscriberMove(db, id, { batches: batchesAtOnce });
    const { state } = (await findSubscriberMove(db, id)) ?? {};
    return redirectWithFlash(
      context,
      here,
      state === 'undone'
        ? 'The subscribers that this move added were removed.'
        : 'The undo started. You can leave this page.',
    );
  }
  if (intent !== 'run' && intent !== 'choose') throw data(null, { status: 400 });
  const choices = {
    source: text('source').replaceAll('\0', '').trim(),
    states_consent: form.has('states_consent'),
    blank_state: blankState(text('blank_state')),
  };
  const errors: MoveErrors = {};
  if (choices.states_consent && choices.source === '')
    errors.source = 'Enter where these people signed up';
  if (choices.source.length > longestSource)
    errors.source = `Use at most ${longestSource} characters`;
  if (errors.source) return data({ errors, choices }, { status: 422 });
  if (intent === 'choose') {
    await chooseForMove(db, id, choices);
    return redirectWithFlash(context, here, 'Preview updated.');
  }
  if (!(await startSubscriberMove(db, id, { ...choices, actor })))
    return redirectWithError(context, here, 'This list was already imported.');
  await advanceSubscriberMove(db, id, { batches: batchesAtOnce });
  const { state, counts = {} } = (await findSubscriberMove(db, id)) ?? {};
  const { joins, ends } = sumOutcomes(counts);
  return redirectWithFlash(
    context,
    here,
    state === 'done'
      ? `Imported: ${countNoun(joins, 'new subscriber')}, ${endedAddresses(ends)}.`
      : 'The move started. You can leave this page.',
  );
}

function endedAddresses(count: number): string {
  return countNoun(count, 'unsubscribed or bounced address', 'unsubscribed or bounced addresses');
}

function blankState(text: string): SubscriberMove['blank_state'] {
  return text === 'subscribed' || text === 'unsubscribed' || text === 'bounced' ? text : null;
}

export const meta = titled('List of subscribers');

const columns: PlainColumn<MoveRow>[] = [
  { label: 'Email', cell: ({ email }) => email },
  { label: 'Status', cell: ({ state }) => state },
];

export default function SubscriberMovePage({ loaderData, actionData }: Route.ComponentProps) {
  const { move, counts, rows } = loaderData;
  const isUnderWay = move.state === 'running' || move.state === 'undoing';
  useAskAgain(isUnderWay, 1_000);
  const { joins, ends, leftOut } = sumOutcomes(counts);
  const isPreview = move.state === 'ready';
  return (
    <div className="column gap-8">
      <AdminHeading title={move.file_name}>
        <Link to={list}>All lists</Link>
      </AdminHeading>
      <section className="column gap-4" aria-label="State">
        <p role="status">
          {moveStates[move.state]}: {countNoun(joins, 'new subscriber')}, {endedAddresses(ends)},{' '}
          {countNoun(leftOut, 'row')} left out.
        </p>
        {isPreview ? (
          <MoveForm
            choices={actionData?.choices ?? move}
            errors={actionData?.errors ?? {}}
            canMove={joins + ends > 0}
          />
        ) : null}
        {move.state === 'running' || move.state === 'done' ? (
          <div>
            <ConfirmAct
              label="Undo this move"
              question="Remove the subscribers that this move added?"
              detail="People who unsubscribed or bounced stay unsubscribed or suspended."
              fields={{ intent: 'undo' }}
            />
          </div>
        ) : null}
        {leftOut > 0 && rows.length > 0 ? (
          <p>
            <Link to={`${list}/${move.id}/left-out`} isDocument>
              Download the rows left out
            </Link>
          </p>
        ) : null}
      </section>
      <OutcomeSections
        outcomes={outcomes}
        describe={describeOutcome}
        counts={counts}
        rows={rows}
        columns={columns}
      />
    </div>
  );
}

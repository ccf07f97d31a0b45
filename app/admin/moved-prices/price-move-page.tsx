import { data } from 'react-router';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { OutcomeSections } from '#app/admin/move-in/outcome-sections.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { redirectWithError, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { titled } from '#app/admin/frame/titled.ts';
import { useAskAgain } from '#app/admin/frame/use-ask-again.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  countPriceOutcomes,
  findPriceMove,
  listFirstPrices,
  type PriceMoveRow,
} from '#app/features/moved-prices/price-move-queries.server.ts';
import {
  describePriceOutcome,
  priceOutcomes,
  sumLeftOut,
} from '#app/features/moved-prices/price-outcomes.ts';
import type { PlainColumn } from '#app/admin/frame/plain-table.tsx';
import { moveStates } from '#app/platform/move-states.ts';
import {
  advancePriceMove,
  chooseForPrices,
  startPriceMove,
  undoPriceMove,
} from '#app/features/moved-prices/run-price-move.server.ts';
import { longestPriceSource } from '#app/features/moved-prices/stage-prices.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/price-move-page';
import { type PriceMoveErrors, PriceMoveForm } from './price-move-form.tsx';

const list = '/admin/move-in/price-histories';
/** batches that run at once, so that a short file is done when the page is shown */
const batchesAtOnce = 5;

export async function loader({ context, params }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  const { db } = appServices(context);
  const move = await findPriceMove(db, parseRowId(params.id) ?? 0);
  if (!move) throw data(null, { status: 404 });
  return {
    move,
    counts: await countPriceOutcomes(db, move),
    rows: await listFirstPrices(db, move),
  };
}

/** Updates a preview, starts its import, or undoes it. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const actor = requireRight(context, 'catalog.write').id;
  const { db, text, intent } = await readPost(context, request);
  const id = parseRowId(params.id) ?? 0;
  const here = `${list}/${id}`;
  if (!(await findPriceMove(db, id))) throw data(null, { status: 404 });
  if (intent === 'undo') {
    if (!(await undoPriceMove(db, id, actor)))
      return redirectWithError(context, here, 'This move has not started or was already undone.');
    await advancePriceMove(db, id, { batches: batchesAtOnce });
    const { state } = (await findPriceMove(db, id)) ?? {};
    return redirectWithFlash(
      context,
      here,
      state === 'undone'
        ? 'The prices that this move added were removed.'
        : 'The undo started. You can leave this page.',
    );
  }
  if (intent !== 'run' && intent !== 'choose') throw data(null, { status: 400 });
  const choices = {
    source: text('source')
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim(),
    day_order: dayOrder(text('day_order')),
  };
  const errors: PriceMoveErrors = {};
  if (choices.source.length > longestPriceSource)
    errors.source = `Use at most ${longestPriceSource} characters`;
  if (errors.source) return data({ errors, choices }, { status: 422 });
  if (intent === 'choose') {
    await chooseForPrices(db, id, choices);
    return redirectWithFlash(context, here, 'Preview updated.');
  }
  if (!(await startPriceMove(db, id, { ...choices, actor })))
    return redirectWithError(context, here, 'This file was already imported.');
  await advancePriceMove(db, id, { batches: batchesAtOnce });
  const { state, counts = {} } = (await findPriceMove(db, id)) ?? {};
  return redirectWithFlash(
    context,
    here,
    state === 'done'
      ? `Imported: ${countNoun(counts.taken ?? 0, 'price')}.`
      : 'The move started. You can leave this page.',
  );
}

function dayOrder(text: string): 'dmy' | 'mdy' | null {
  return text === 'dmy' || text === 'mdy' ? text : null;
}

export const meta = titled('Price file');

const columns: PlainColumn<PriceMoveRow>[] = [
  { label: 'Deal', cell: ({ deal }) => deal },
  { label: 'Date', cell: ({ date }) => date },
  { label: 'Price', isNumber: true, cell: ({ price }) => price },
  { label: 'Source', cell: ({ source }) => source },
];

export default function PriceMovePage({ loaderData, actionData }: Route.ComponentProps) {
  const { move, counts, rows } = loaderData;
  const { state } = move;
  useAskAgain(state === 'running' || state === 'undoing', 1_000);
  const leftOut = sumLeftOut(counts);
  return (
    <div className="column gap-8">
      <AdminHeading title={move.file_name}>
        <Link to={list}>All files</Link>
      </AdminHeading>
      <section className="column gap-4" aria-label="State">
        <p role="status">
          {moveStates[state]}: {countNoun(counts.taken ?? 0, 'price')}, {countNoun(leftOut, 'row')}{' '}
          left out.
        </p>
        {state === 'ready' ? (
          <PriceMoveForm
            choices={actionData?.choices ?? move}
            errors={actionData?.errors ?? {}}
            canMove={(counts.taken ?? 0) > 0}
          />
        ) : null}
        {state === 'running' || state === 'done' ? (
          <div>
            <ConfirmAct
              label="Undo this move"
              question="Remove the prices that this move added?"
              detail="Our own price log stays as it is."
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
        outcomes={priceOutcomes}
        describe={describePriceOutcome}
        counts={counts}
        rows={rows}
        columns={columns}
      />
    </div>
  );
}

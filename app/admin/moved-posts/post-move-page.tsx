import { data, Form } from 'react-router';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { redirectWithError, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { type PlainColumn, PlainTable, readPlainPage } from '#app/admin/frame/plain-table.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { useAskAgain } from '#app/admin/frame/use-ask-again.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  countMovedPictures,
  listFailedPictures,
  retryPictures,
} from '#app/features/moved-posts/moved-pictures.server.ts';
import {
  deletePreview,
  findMove,
  listMoveItems,
  type MoveItem,
  type MoveSummary,
} from '#app/features/moved-posts/move-queries.server.ts';
import {
  describeItem,
  describeLeftOut,
  describeMove,
  describeWay,
} from '#app/features/moved-posts/move-words.ts';
import { startMove, startUndo } from '#app/features/moved-posts/run-move.server.ts';
import { listCategoryNames } from '#app/features/feeds/runs/import-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import type { Route } from './+types/post-move-page';
import { MovedPictures } from './moved-pictures.tsx';

const mostSkipped = 500;
const mostFailed = 200;
const list = '/admin/move-in/posts';

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  requireRight(context, 'blog.write');
  const { db } = appServices(context);
  const move = await findMove(db, parseRowId(params.id) ?? 0);
  if (!move) throw data(null, { status: 404 });
  const items = await readPlainPage(request, (cut) =>
    listMoveItems(db, { move: move.id, isSkipped: false }, cut),
  );
  const skipped = await listMoveItems(
    db,
    { move: move.id, isSkipped: true },
    { limit: mostSkipped, offset: 0 },
  );
  const isAsked = move.state === 'ready' && move.deals > 0;
  const categories = isAsked ? await listCategoryNames(db) : [];
  const pictures = await countMovedPictures(db, move.id);
  const failed = await listFailedPictures(db, move.id, mostFailed);
  return { move, items, skipped: skipped.rows, categories, pictures, failed };
}

/** Starts the import, undoes it, retries failed pictures, or deletes the preview. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'blog.write').id;
  requireRight(context, 'catalog.write');
  const { db, intent, rowId, services } = await readPost(context, request);
  const id = parseRowId(params.id) ?? 0;
  const here = `${list}/${id}`;
  if (intent === 'move') {
    return (await startMove(db, id, services.env.origin, rowId('category_id')))
      ? redirectWithFlash(context, here, 'The move started. You can leave this page.')
      : redirectWithError(context, here, 'This export was already imported.');
  }
  if (intent === 'undo') {
    return (await startUndo(db, id, actor))
      ? redirectWithFlash(context, here, 'The undo started. You can leave this page.')
      : redirectWithError(context, here, 'Only a finished move can be undone.');
  }
  if (intent === 'retry') {
    const count = await retryPictures(db, id);
    return redirectWithFlash(context, here, `Trying ${countNoun(count, 'picture')} again.`);
  }
  if (intent !== 'delete') throw data(null, { status: 400 });
  return (await deletePreview(db, id))
    ? redirectWithFlash(context, list, 'The preview was deleted.')
    : redirectWithError(context, here, 'This move has already started.');
}

export const meta = titled('WordPress export');

const columns: PlainColumn<MoveItem>[] = [
  { label: 'Title', cell: ({ title, kind }) => `${title} (${kind})` },
  { label: 'Old address', cell: ({ old_url: address }) => address },
  { label: 'New address', cell: describeWay },
  { label: 'Notes', cell: (item) => describeItem(item).join('. ') || '–' },
];
const skippedColumns: PlainColumn<MoveItem>[] = [
  { label: 'Title', cell: ({ title, kind }) => `${title} (${kind})` },
  { label: 'Old address', cell: ({ old_url: address }) => address },
  { label: 'Reason', cell: describeWay },
];

export default function PostMovePage({
  loaderData: { move, items, skipped, categories, pictures, failed },
}: Route.ComponentProps) {
  const isUnderWay = move.state === 'running' || move.state === 'undoing';
  const isFetching = move.state === 'done' && pictures.waiting > 0;
  useAskAgain(isUnderWay || isFetching, isUnderWay ? 1_000 : 5_000);
  const leftOut = describeLeftOut(move);
  return (
    <div className="column gap-8">
      <AdminHeading title={move.file_name}>
        <Link to="/admin/move-in/posts">All exports</Link>
      </AdminHeading>
      <section className="column gap-4" aria-label="State">
        <p>
          {describeMove(move)}. {leftOut} Tags and categories of posts become tags.{' '}
          {move.deals > 0 ? 'Old prices stay claims of the old site.' : null}
        </p>
        <Progress move={move} categories={categories} />
      </section>
      <MovedPictures state={move.state} pictures={pictures} failed={failed} />
      {skipped.length > 0 ? (
        <Items
          title={move.skipped > mostSkipped ? `Skipped (the first ${mostSkipped})` : 'Skipped'}
          page={skipped}
          columns={skippedColumns}
          path={`${list}/${move.id}`}
        />
      ) : null}
      <Items
        title={move.state === 'done' ? 'What was imported' : 'What will be imported'}
        page={items}
        columns={columns}
        path={`${list}/${move.id}`}
      />
    </div>
  );
}

function Progress({
  move,
  categories,
}: {
  move: MoveSummary;
  categories: readonly { id: number; name: string }[];
}) {
  const total = move.posts + move.pages + move.deals + move.coupons + move.links;
  if (move.state === 'ready') {
    return (
      <>
        <p>Nothing has been written yet. A move can be undone as a whole.</p>
        <Form method="post" className="bar gap-3">
          {move.deals > 0 ? (
            <SelectField
              label="Deals whose category is not here"
              name="category_id"
              options={[
                { value: '', label: 'Add their categories' },
                ...categories.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
            />
          ) : null}
          <Button type="submit" name="intent" value="move" variant="primary" disabled={total === 0}>
            Move in
          </Button>
          <Button type="submit" name="intent" value="delete">
            Delete preview
          </Button>
        </Form>
      </>
    );
  }
  if (move.state === 'running' || move.state === 'undoing') {
    return (
      <>
        <progress aria-label="Items processed" max={total} value={move.handled} />
        <p role="status">
          {move.state === 'running' ? 'Importing' : 'Undoing'}:{' '}
          {move.handled.toLocaleString('en-US')} of {total.toLocaleString('en-US')}. You can leave
          this page; the work continues.
        </p>
        <p data-without-js>
          <a href={`${list}/${move.id}`} className={buttonClass()}>
            Refresh
          </a>
        </p>
      </>
    );
  }
  if (move.state === 'undone') {
    return (
      <p role="status">
        Undone: what was imported is in the trash, and its redirects are gone.{' '}
        {move.kept > 0
          ? `${countNoun(move.kept, 'item')} changed since the move and stayed.`
          : null}
      </p>
    );
  }
  return (
    <div className="bar gap-3">
      <p role="status">Imported.</p>
      <ConfirmAct
        label="Undo the move"
        question="Undo this move?"
        detail={
          <p>
            Everything unchanged since moves to the trash for 30 days. Its redirects are deleted.
            Changed items stay. Copied pictures that nothing else shows move to the trash, too.
          </p>
        }
        confirmLabel="Undo the move"
        fields={{ intent: 'undo' }}
      />
    </div>
  );
}

function Items({
  title,
  ...table
}: {
  title: string;
  page: Parameters<typeof PlainTable<MoveItem>>[0]['page'];
  columns: PlainColumn<MoveItem>[];
  path: string;
}) {
  return (
    <section className="column gap-4">
      <h2>{title}</h2>
      <PlainTable
        {...table}
        noun={{ one: 'item', many: 'items' }}
        idOf={({ id }) => id}
        nameOf={({ title: name }) => name}
        empty="Nothing in this file can be imported."
      />
    </section>
  );
}

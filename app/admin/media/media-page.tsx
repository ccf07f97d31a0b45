import type { Column } from '#app/admin/frame/data-table.tsx';
import { DeletionDetail } from '#app/admin/frame/deletion-detail.tsx';
import {
  listAddress,
  redirectWithError,
  redirectWithFlash,
} from '#app/admin/frame/flash.server.ts';
import { ListScreen } from '#app/admin/frame/list-screen.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { optionsOf } from '#app/admin/frame/options-of.ts';
import { readList } from '#app/admin/frame/read-list.server.ts';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import type { RowAct } from '#app/admin/frame/row-acts.tsx';
import { RowName } from '#app/admin/frame/row-name.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  deleteLibraryPicture,
  editablePictures,
} from '#app/features/pictures/editable-pictures.server.ts';
import {
  countLibrary,
  type LibraryRow,
  listLibrary,
} from '#app/features/pictures/library-queries.server.ts';
import { type LibrarySort, libraryTable } from '#app/features/pictures/library-table.ts';
import { thumbnail } from '#app/features/pictures/picture-files.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import type { Route } from './+types/media-page';
import { formatBytes } from './format-bytes.ts';
import styles from './media-page.module.css';
import { describeUses, pictureMessages, placeKinds } from './picture-messages.ts';
import { UploadForm } from './upload-form.tsx';

export function loader({ request, context }: Route.LoaderArgs) {
  const { rights } = requireRight(context, 'media.read');
  const { now } = appServices(context);
  const mayWrite = rights.has('media.write');
  return readList(request, context, {
    spec: libraryTable,
    what: 'pictures',
    page: listLibrary,
    figures: async (db) => ({ ...(await countLibrary(db)), mayWrite, now: now() }),
  });
}

/** Deletes a picture that no page shows, or restores it. */
export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'media.write').id;
  const { db } = appServices(context);
  const form = await readFormBody(request);
  const id = parseRowId(readText(form, 'id')) ?? 0;
  const here = listAddress(request);
  if (readText(form, 'intent') === 'restore') {
    const { ok } = await editablePictures.restore(db, id, actor);
    return ok
      ? redirectWithFlash(context, here, 'The picture was restored.')
      : redirectWithError(context, here, 'The picture could not be restored.');
  }
  const deleted = await deleteLibraryPicture(db, id, actor);
  if (deleted.ok) {
    const undo = { label: 'Undo', action: here, fields: { intent: 'restore', id: String(id) } };
    return redirectWithFlash(context, here, pictureMessages.deleted, { undo });
  }
  const isUsed = deleted.reason === 'in-use';
  const words = isUsed ? describeUses(deleted.uses) : pictureMessages.deleteFailed;
  return redirectWithError(context, here, words);
}

export const meta = titled('Media');

const shown = optionsOf({ unused: 'Used nowhere', undescribed: 'Without alt text' });

function columnsOf(now: Date): Column<LibraryRow, LibrarySort>[] {
  return [
    {
      label: 'Picture',
      sort: 'name',
      cell: ({ id, address, name, alt }) => (
        <RowName
          picture={
            <img className={styles.thumb} src={thumbnail(address)} alt="" width={96} height={72} />
          }
          href={`/admin/media/${id}/edit`}
          name={name}
          note={alt || 'No alt text'}
        />
      ),
    },
    { label: 'Pixels', isNumber: true, cell: ({ width, height }) => `${width} × ${height}` },
    { label: 'Size', sort: 'size', isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
    { label: 'Used in', cell: ({ uses }) => <Uses uses={uses} /> },
    {
      label: 'Uploaded',
      sort: 'created',
      cell: ({ created_at: at, created_by: by }) => (
        <span>
          <RelativeTime at={at} now={now} />
          {by ? <span className="small"> by {by}</span> : null}
        </span>
      ),
    },
  ];
}

function Uses({ uses: { total, first } }: Pick<LibraryRow, 'uses'>) {
  const [one] = first;
  if (!one) return <span className="muted">Nowhere</span>;
  return total === 1
    ? `${placeKinds[one.kind]}: ${one.name}`
    : `${placeKinds[one.kind]}: ${one.name} and ${countNoun(total - 1, 'other place')}`;
}

export default function MediaPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Media" failure={loaderData} />;
  const { total, bytes, undescribed, mayWrite, now } = loaderData.figures;
  return (
    <ListScreen
      title="Media"
      about="Pictures for deals, merchants, categories, posts and newsletters."
      spec={libraryTable}
      list={loaderData}
      noun={{ one: 'picture', many: 'pictures' }}
      nameOf={({ name }) => name}
      note={mayWrite ? <UploadForm /> : null}
      stats={[
        { label: 'Pictures', value: total, href: libraryTable.path },
        {
          label: 'Without alt text',
          value: undescribed,
          href: `${libraryTable.path}?show=undescribed`,
        },
        { label: 'Stored', value: formatBytes(bytes) },
      ]}
      searchLabel="Search by name or alt text"
      filters={[{ name: 'show', label: 'Show', options: shown }]}
      columns={columnsOf(now)}
      actsOf={actsOf}
      empty={{
        icon: 'grid',
        title: 'No pictures found',
        titleWhenNew: 'No pictures yet',
        hint: 'You can use an uploaded picture in every form that has a picture field.',
      }}
    />
  );
}

function actsOf({ id, name, address, uses }: LibraryRow): RowAct[] {
  const ask = {
    question: pictureMessages.confirmDelete,
    detail: <DeletionDetail name={name} />,
  };
  return [
    { label: 'Edit', to: `/admin/media/${id}/edit`, isOver: true, isEdit: true },
    { label: 'Open', to: address },
    // A picture in use needs no confirmation, since its deletion fails with a list of its uses.
    { label: 'Delete', intent: 'delete', ...(uses.total === 0 && { ask }) },
  ];
}

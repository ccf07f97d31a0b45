import { entityHref } from '#app/admin/audit/entity-href.ts';
import { EditDialog } from '#app/admin/frame/edit-dialog.tsx';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { readRow, saveRow } from '#app/admin/frame/row-editor.server.ts';
import { rowTexts } from '#app/admin/frame/row-texts.ts';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  editablePictures,
  findUsesOf,
  pictureInput,
} from '#app/features/pictures/editable-pictures.server.ts';
import { libraryTable } from '#app/features/pictures/library-table.ts';
import { pictureSources } from '#app/features/pictures/picture-files.ts';
import type { PictureUses } from '#app/features/pictures/picture-uses.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { Link } from '#app/ui/link.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { Route } from './+types/edit-picture-page';
import styles from './edit-picture-page.module.css';
import { formatBytes } from './format-bytes.ts';
import { pictureMessages, placeKinds } from './picture-messages.ts';

const editor = {
  noun: 'picture',
  list: libraryTable.path,
  rows: editablePictures,
  input: () => pictureInput,
  textsOf: rowTexts,
  messages: pictureMessages,
};

/** A dialog over the list with a picture's name, its alt text and the pages that use it. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'media.write');
  const { row, backTo } = await readRow(request, context, editor, params.id);
  if (!row) throw new Error('The route has an id.');
  return { row, backTo, uses: await findUsesOf(appServices(context).db, row) };
}

export function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'media.write');
  return saveRow(request, context, editor, params.id);
}

export const meta = titled('Edit Picture');

const labels = { name: 'Name', alt: 'Alt text' };

export default function EditPicturePage({ loaderData, actionData }: Route.ComponentProps) {
  const { row, backTo, uses } = loaderData;
  const { src } = pictureSources(row.address, 640);
  return (
    <EditDialog
      title="Edit Picture"
      backTo={backTo}
      stored={rowTexts(row)}
      outcome={actionData}
      errorTitle="Error saving picture"
      labels={labels}
      submitLabel="Update Picture"
      version={row.version}
    >
      {(fields) => (
        <FormSection title="Picture">
          <FullWidth>
            <img className={styles.picture} src={src} alt={row.alt} />
            <p className="small">
              {row.width} × {row.height} pixels, {formatBytes(row.bytes)} in all sizes
            </p>
            <p className={styles.address}>
              <code>{row.address}</code>
              <CopyButton text={row.address} label="Copy the address" />
            </p>
          </FullWidth>
          <FullWidth>
            <TextField {...fields.of('name')} required maxLength={200} />
          </FullWidth>
          <FullWidth>
            <TextField
              {...fields.of('alt')}
              maxLength={500}
              hint="Describes the picture for readers who cannot see it. Used when the picture is inserted into a text."
            />
          </FullWidth>
          <FullWidth>
            <Places uses={uses} />
          </FullWidth>
        </FormSection>
      )}
    </EditDialog>
  );
}

function Places({ uses: { total, first } }: { uses: PictureUses }) {
  if (total === 0) return <p>No page uses this picture.</p>;
  return (
    <section className="stack gap-2">
      <h3 className={styles.title}>Used in {countNoun(total, 'place')}</h3>
      <ul className={styles.places}>
        {first.map(({ kind, id, name }) => (
          <li key={`${kind} ${id}`}>
            {placeKinds[kind]}: <Link to={hrefOf(kind, id)}>{name}</Link>
          </li>
        ))}
      </ul>
      {total > first.length ? <p>And {countNoun(total - first.length, 'more place')}.</p> : null}
    </section>
  );
}

function hrefOf(kind: PictureUses['first'][number]['kind'], id: string): string {
  return (kind === 'setting' ? null : entityHref(kind, id)) ?? '/admin/settings';
}

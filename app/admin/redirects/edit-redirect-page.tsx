import { EditDialog } from '#app/admin/frame/edit-dialog.tsx';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { optionsOf } from '#app/admin/frame/options-of.ts';
import { readRow } from '#app/admin/frame/row-editor.server.ts';
import { rowTexts } from '#app/admin/frame/row-texts.ts';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { Route } from './+types/edit-redirect-page';
import { redirectEditor, saveRedirect } from './redirect-editor.server.ts';

/** A dialog over the list. `?from=` fills in the old URL of a new redirect. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  const url = new URL(request.url);
  const from = url.searchParams.get('from') ?? '';
  url.searchParams.delete('from');
  const { row, backTo } = await readRow(
    new Request(url, { headers: request.headers }),
    context,
    redirectEditor,
    params.id,
  );
  const stored: Record<string, string> = row
    ? { ...rowTexts(row), target: row.target ?? '' }
    : { from_path: from };
  return { stored, version: row?.version, backTo };
}

export function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return saveRedirect(request, context, params.id);
}

export const meta = titled('Edit Redirect', 'Create New Redirect');

const labels = { from_path: 'Old address', target: 'New address', status: 'Kind' };

const redirectKinds = optionsOf({
  301: 'Moved permanently (301)',
  302: 'Moved for now (302)',
  410: 'Gone (410)',
});

export default function EditRedirectPage({ loaderData, actionData }: Route.ComponentProps) {
  const { stored, version, backTo } = loaderData;
  const isNew = version === undefined;
  return (
    <EditDialog
      title={isNew ? 'Create New Redirect' : 'Edit Redirect'}
      backTo={backTo}
      stored={stored}
      outcome={actionData}
      errorTitle="Error saving redirect"
      labels={labels}
      submitLabel={isNew ? 'Create Redirect' : 'Update Redirect'}
      version={version}
    >
      {(fields) => (
        <FormSection title="Redirect">
          <FullWidth>
            <TextField
              {...fields.of('from_path')}
              required
              maxLength={2_048}
              autoComplete="off"
              hint="A path of this site that has no page, such as /old-page. /old/* redirects everything below /old/."
            />
          </FullWidth>
          <FullWidth>
            <TextField
              {...fields.of('target')}
              maxLength={2_048}
              autoComplete="off"
              hint="A path such as /deals or a full URL. In /new/*, the star stands for the part that matched in the old address."
            />
          </FullWidth>
          <ChoiceField
            {...fields.of('status')}
            options={redirectKinds}
            hint="Leave the new address blank for a page that is gone."
          />
        </FormSection>
      )}
    </EditDialog>
  );
}

import { answerSave } from '#app/admin/frame/answer-save.server.ts';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { refuseForm, typedValues } from '#app/admin/frame/form-outcome.ts';
import type { Context } from '#app/admin/frame/read-or-fail.server.ts';
import { rowTexts } from '#app/admin/frame/row-texts.ts';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { checkRedirects } from '#app/features/catalog/check-redirects.server.ts';
import { editableRedirects } from '#app/features/catalog/editable-redirects.server.ts';
import { redirectInput } from '#app/features/catalog/redirect-input.ts';
import { redirectTable } from '#app/features/catalog/redirect-table.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';

export const redirectMessages = {
  confirmDelete: 'Are you sure you want to delete this redirect?',
  deleted: 'Redirect deleted.',
  deleteFailed: 'Failed to delete redirect',
  taken: 'This address already has a redirect. Edit that one.',
} as const;

export const redirectEditor = {
  noun: 'redirect',
  list: redirectTable.path,
  rows: editableRedirects,
  messages: redirectMessages,
};

/** Saves a redirect from its form; a new one has no `id`. */
export async function saveRedirect(request: Request, context: Context, id: string | undefined) {
  const { db, env } = appServices(context);
  const actor = requireUser(context).id;
  const values = typedValues(await readFormBody(request));
  const parsed = redirectInput.safeParse(values);
  if (!parsed.success) return refuseForm({ values, errors: fieldErrors(parsed.error) });
  const rowId = id === undefined ? null : (parseRowId(id) ?? 0);
  const [problem] = await checkRedirects(db, env.origin, [parsed.data], rowId);
  if (problem) return refuseForm({ values, errors: { [problem.field]: problem.message } });
  const expectedVersion = Number(values['version']);
  const saved = await (rowId === null
    ? editableRedirects.create(db, { ...parsed.data, created_by: actor }, actor)
    : editableRedirects.update(db, rowId, parsed.data, { actor, expectedVersion }));
  return answerSave(context, saved, {
    values,
    backTo: backToList(request.url, redirectEditor.list),
    words: {
      done: `Redirect ${id === undefined ? 'created' : 'updated'}.`,
      changedMeanwhile: 'Someone else saved this redirect in the meantime.',
      goneWhileEdited: 'Someone else deleted this redirect in the meantime.',
    },
    textsOf: rowTexts,
    errors: { 'slug-taken': { from_path: redirectMessages.taken } },
  });
}

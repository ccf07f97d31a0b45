import { data } from 'react-router';
import type { z } from 'zod';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import type { editableRows } from '#app/features/catalog/editable-rows.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import { answerSave } from './answer-save.server.ts';
import { backToList } from './back-to-list.ts';
import { listAddress, redirectWithError, redirectWithFlash } from './flash.server.ts';
import { refuseForm, typedValues } from './form-outcome.ts';
import type { Context } from './read-or-fail.server.ts';

interface EditableRow {
  id: number;
  version: number;
}

/** The texts and rules of a screen with editable rows. */
export interface RowEditor<
  Row extends EditableRow & Record<keyof Input, unknown>,
  Input extends object,
> {
  noun: string;
  /** The URL of the list. */
  list: string;
  rows: ReturnType<typeof editableRows<Row, Input>>;
  /** The schema of the form, with prices in the site's currency. */
  input: (currency: string) => z.ZodType<Input>;
  /** Returns a row's form values as text. */
  textsOf: (row: Row, currency: string) => Record<string, string>;
  messages: { deleted: string; deleteFailed: string; slugTaken: string };
}

/**
 * Returns the row of a URL, or `null` for a new one, with the list from which it was opened.
 */
export async function readRow<
  Row extends EditableRow & Record<keyof Input, unknown>,
  Input extends object,
>(
  request: Request,
  context: Context,
  { rows, list }: Pick<RowEditor<Row, Input>, 'rows' | 'list'>,
  id: string | undefined,
) {
  const backTo = backToList(request.url, list);
  if (id === undefined) return { row: null, backTo };
  const row = await rows.find(appServices(context).db, parseRowId(id) ?? 0);
  if (!row) throw data(null, { status: 404 });
  return { row, backTo };
}

/** Saves a row from its form. A new row has no `id`. */
export async function saveRow<
  Row extends EditableRow & Record<keyof Input, unknown>,
  Input extends object,
>(
  request: Request,
  context: Context,
  { noun, list, rows, input, textsOf, messages }: RowEditor<Row, Input>,
  id: string | undefined,
) {
  const { db } = appServices(context);
  const actor = requireUser(context).id;
  const values = typedValues(await readFormBody(request));
  const { currency } = await readSiteSettings(db);
  const parsed = input(currency).safeParse(values);
  if (!parsed.success) return refuseForm({ values, errors: fieldErrors(parsed.error) });
  const expectedVersion = Number(values['version']);
  const saved = await (id === undefined
    ? rows.create(db, parsed.data, actor)
    : rows.update(db, parseRowId(id) ?? 0, parsed.data, { actor, expectedVersion }));
  const name = noun.charAt(0).toUpperCase() + noun.slice(1);
  return answerSave(context, saved, {
    values,
    backTo: backToList(request.url, list),
    words: {
      done: `${name} ${id === undefined ? 'created' : 'updated'}.`,
      changedMeanwhile: `Someone else saved this ${noun} in the meantime.`,
      goneWhileEdited: `Someone else deleted this ${noun} in the meantime.`,
    },
    textsOf: (row) => textsOf(row, currency),
    errors: { 'slug-taken': { slug: messages.slugTaken } },
  });
}

/** Deletes a row, or restores it. */
export async function deleteOrRestoreRow<
  Row extends EditableRow & Record<keyof Input, unknown>,
  Input extends object,
>(
  request: Request,
  context: Context,
  {
    noun,
    rows,
    messages,
  }: Pick<RowEditor<Row, Input>, 'noun' | 'rows'> & {
    messages: { deleted: string; deleteFailed: string };
  },
) {
  const { db } = appServices(context);
  const actor = requireUser(context).id;
  const form = await readFormBody(request);
  const id = parseRowId(readText(form, 'id')) ?? 0;
  const here = listAddress(request);
  if (readText(form, 'intent') === 'restore') {
    const { ok } = await rows.restore(db, id, actor);
    return ok
      ? redirectWithFlash(context, here, `The ${noun} was restored.`)
      : redirectWithError(context, here, `The ${noun} could not be restored.`);
  }
  const deleted = await rows.remove(db, id, actor);
  if (deleted.ok) {
    const fields = { intent: 'restore', id: String(id) };
    const undo = { label: 'Undo', action: here, fields };
    return redirectWithFlash(context, here, messages.deleted, { undo });
  }
  const why = deleted.reason === 'has-deals' ? `: ${whatHangs(deleted.name, deleted.deals)}` : '';
  return redirectWithError(context, here, messages.deleteFailed + why);
}

/** Explains why a row with deals cannot be deleted, and what to do. */
function whatHangs(name: string, deals: number): string {
  return deals === 1
    ? `1 deal belongs to ${name}. Move or delete it first.`
    : `${deals.toLocaleString('en-US')} deals belong to ${name}. Move or delete them first.`;
}

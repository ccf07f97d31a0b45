import { data, type RouterContextProvider } from 'react-router';
import type { z } from 'zod';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import type { editableRows } from '#app/features/catalog/editable-rows.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import { backToList } from './back-to-list.ts';
import { listAddress, redirectWithFlash } from './flash.server.ts';
import { typedValues } from './form-outcome.ts';
import { refuseForm } from './refuse-form.server.ts';

type Context = Readonly<Pick<RouterContextProvider, 'get'>>;

/** What a screen of editable rows says and takes. */
export interface RowEditor<Row extends { id: number; version: number }, Input extends object> {
  noun: string;
  /** The address of its list. */
  list: string;
  rows: ReturnType<typeof editableRows<Row, Input>>;
  input: z.ZodType<Input>;
  /** A row as the texts of its form. */
  textsOf: (row: Row) => Record<string, string>;
  messages: { deleted: string; deleteFailed: string; slugTaken: string };
}

/** The row of an address, and the list it was opened from. */
export async function readRow<Row extends { id: number; version: number }, Input extends object>(
  request: Request,
  context: Context,
  { rows, list }: RowEditor<Row, Input>,
  id: string,
) {
  const row = await rows.find(appServices(context).db, parseRowId(id) ?? 0);
  if (!row) throw data(null, { status: 404 });
  return { row, backTo: backToList(request.url, list) };
}

/** Saves what the form of a row holds; `id` is null for a new one. */
export async function saveRow<Row extends { id: number; version: number }, Input extends object>(
  request: Request,
  context: Context,
  { noun, list, rows, input, textsOf, messages }: RowEditor<Row, Input>,
  id: number | null,
) {
  const { db } = appServices(context);
  const actor = requireUser(context).id;
  const backTo = backToList(request.url, list);
  const values = typedValues(await readFormBody(request));
  const parsed = input.safeParse(values);
  if (!parsed.success) return refuseForm({ values, errors: fieldErrors(parsed.error) });
  const expectedVersion = Number(values['version']);
  const saved =
    id === null
      ? await rows.create(db, parsed.data, actor)
      : await rows.update(db, id, parsed.data, { actor, expectedVersion });
  if (saved.ok) {
    const name = noun.charAt(0).toUpperCase() + noun.slice(1);
    return redirectWithFlash(context, backTo, `${name} ${id === null ? 'created' : 'updated'}.`);
  }
  switch (saved.reason) {
    case 'changed-meanwhile': {
      const conflict = { version: saved.current.version, current: textsOf(saved.current) };
      const message = `Somebody else saved this ${noun} meanwhile.`;
      return refuseForm({ values, conflict, message });
    }
    case 'slug-taken':
      return refuseForm({ values, errors: { slug: messages.slugTaken } });
    case 'not-found':
      return refuseForm({ values, message: `This ${noun} was deleted meanwhile.` }, 404);
  }
}

/** What the list's forms ask for: a row deleted, or that taken back. */
export async function deleteOrRestoreRow<
  Row extends { id: number; version: number },
  Input extends object,
>(request: Request, context: Context, { noun, rows, messages }: RowEditor<Row, Input>) {
  const { db } = appServices(context);
  const actor = requireUser(context).id;
  const form = await readFormBody(request);
  const id = parseRowId(readText(form, 'id')) ?? 0;
  const here = listAddress(request);
  if (readText(form, 'intent') === 'restore') {
    const { ok } = await rows.restore(db, id, actor);
    return ok
      ? redirectWithFlash(context, here, `The ${noun} is back.`)
      : redirectWithFlash(context, here, `The ${noun} could not be brought back.`, {
          kind: 'error',
        });
  }
  const deleted = await rows.remove(db, id, actor);
  if (deleted.ok) {
    const fields = { intent: 'restore', id: String(id) };
    const undo = { label: 'Undo', action: here, fields };
    return redirectWithFlash(context, here, messages.deleted, { undo });
  }
  const why = deleted.reason === 'has-deals' ? `: ${whatHangs(deleted.name, deleted.deals)}` : '';
  return redirectWithFlash(context, here, messages.deleteFailed + why, { kind: 'error' });
}

/** P41: why a row stays, and what to do. */
function whatHangs(name: string, deals: number): string {
  return deals === 1
    ? `1 deal hangs on ${name}. Move or delete it first.`
    : `${deals.toLocaleString('en-US')} deals hang on ${name}. Move or delete them first.`;
}

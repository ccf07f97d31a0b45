import { answerSave } from '#app/admin/frame/answer-save.server.ts';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { refuseForm, typedValues } from '#app/admin/frame/form-outcome.ts';
import type { Context } from '#app/admin/frame/read-or-fail.server.ts';
import { rowTexts } from '#app/admin/frame/row-texts.ts';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { type EditableSlot, editableSlots } from '#app/features/slots/editable-slots.server.ts';
import { slotInput, type SlotInput } from '#app/features/slots/slot-input.ts';
import { slotMessages } from '#app/features/slots/slot-messages.ts';
import { isLibraryPicture } from '#app/features/slots/slot-queries.server.ts';
import { slotTable } from '#app/features/slots/slot-table.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { toWallClock } from '#app/platform/wall-clock.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

export const slotEditor = {
  noun: 'slot',
  list: slotTable.path,
  rows: editableSlots,
  messages: slotMessages,
};

/** Saves an ad or announcement from its form; a new one has no `id`. */
export async function saveSlot(request: Request, context: Context, id: string | undefined) {
  const { db } = appServices(context);
  const actor = requireUser(context).id;
  const values = typedValues(await readFormBody(request));
  const { timeZone } = await readSiteSettings(db);
  const parsed = slotInput(timeZone).safeParse(values);
  if (!parsed.success) return refuseForm({ values, errors: fieldErrors(parsed.error) });
  const errors = await findMissing(db, parsed.data);
  if (Object.keys(errors).length > 0) return refuseForm({ values, errors });
  const expectedVersion = Number(values['version']);
  const saved = await (id === undefined
    ? editableSlots.create(db, parsed.data, actor)
    : editableSlots.update(db, parseRowId(id) ?? 0, parsed.data, { actor, expectedVersion }));
  return answerSave(context, saved, {
    values,
    backTo: backToList(request.url, slotEditor.list),
    words: {
      done: `Slot ${id === undefined ? 'created' : 'updated'}.`,
      changedMeanwhile: 'Someone else saved this slot in the meantime.',
      goneWhileEdited: 'Someone else deleted this slot in the meantime.',
    },
    textsOf: (row) => slotTexts(row, timeZone),
    errors: { 'slug-taken': {} },
  });
}

/** Returns the errors of a picture or category that does not exist. */
async function findMissing(db: Db, { picture_url, category_id }: SlotInput) {
  const hasPicture = picture_url === null || (await isLibraryPicture(db, picture_url));
  const hasCategory =
    category_id === null ||
    (await ask(db).value`select id from categories where id = ${category_id}`) !== null;
  return {
    ...(!hasPicture && { picture_url: slotMessages.notInLibrary }),
    ...(!hasCategory && { category_id: slotMessages.noSuchCategory }),
  };
}

/** Returns a slot as the texts of its form. */
export function slotTexts({ starts_at, ends_at, ...slot }: EditableSlot, timeZone: string) {
  return {
    ...rowTexts(slot),
    starts_at: starts_at ? toWallClock(starts_at, timeZone) : '',
    ends_at: ends_at ? toWallClock(ends_at, timeZone) : '',
  };
}

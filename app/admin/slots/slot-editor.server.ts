import { answerSave } from '#app/admin/frame/answer-save.server.ts';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { refuseForm, typedValues } from '#app/admin/frame/form-outcome.ts';
import type { Context } from '#app/admin/frame/read-or-fail.server.ts';
import { rowTexts } from '#app/admin/frame/row-texts.ts';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { type EditableSlot, editableSlots } from '#app/features/slots/editable-slots.server.ts';
import { slotInput } from '#app/features/slots/slot-input.ts';
import { slotMessages } from '#app/features/slots/slot-messages.ts';
import { listMissingFields } from '#app/features/slots/slot-queries.server.ts';
import { slotTable } from '#app/features/slots/slot-table.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { toWallClock } from '#app/platform/wall-clock.ts';

export const slotEditor = {
  noun: 'ad',
  list: slotTable.path,
  rows: editableSlots,
  messages: slotMessages,
};

const whyMissing = {
  picture_url: slotMessages.notInLibrary,
  category_id: slotMessages.noSuchCategory,
};

/** Saves an ad or announcement from its form; a new one has no `id`. */
export async function saveSlot(request: Request, context: Context, id: string | undefined) {
  const { db } = appServices(context);
  const actor = requireUser(context).id;
  const values = typedValues(await readFormBody(request));
  const { timeZone } = await readSiteSettings(db);
  const parsed = slotInput(timeZone).safeParse(values);
  if (!parsed.success) return refuseForm({ values, errors: fieldErrors(parsed.error) });
  const missing = await listMissingFields(db, parsed.data);
  if (missing.length > 0) {
    const errors = Object.fromEntries(missing.map((field) => [field, whyMissing[field]]));
    return refuseForm({ values, errors });
  }
  const noun = parsed.data.kind;
  const name = noun.charAt(0).toUpperCase() + noun.slice(1);
  const expectedVersion = Number(values['version']);
  const saved = await (id === undefined
    ? editableSlots.create(db, parsed.data, actor)
    : editableSlots.update(db, parseRowId(id) ?? 0, parsed.data, { actor, expectedVersion }));
  return answerSave(context, saved, {
    values,
    backTo: backToList(request.url, slotEditor.list),
    words: {
      done: `${name} ${id === undefined ? 'created' : 'updated'}.`,
      changedMeanwhile: `Someone else saved this ${noun} in the meantime.`,
      goneWhileEdited: `Someone else deleted this ${noun} in the meantime.`,
    },
    textsOf: (row) => slotTexts(row, timeZone),
    errors: { 'slug-taken': {} },
  });
}

/** Returns a slot's form values as text. */
export function slotTexts({ starts_at, ends_at, ...slot }: EditableSlot, timeZone: string) {
  return {
    ...rowTexts(slot),
    starts_at: starts_at ? toWallClock(starts_at, timeZone) : '',
    ends_at: ends_at ? toWallClock(ends_at, timeZone) : '',
  };
}

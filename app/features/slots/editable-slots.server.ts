import type { Selectable } from 'kysely';
import { editableRows } from '#app/features/catalog/editable-rows.server.ts';
import type { Database } from '#database/schema.ts';
import type { SlotInput } from './slot-input.ts';

const columns = [
  'id',
  'kind',
  'place',
  'title',
  'text',
  'url',
  'picture_url',
  'picture_alt',
  'category_id',
  'starts_at',
  'ends_at',
  'is_on',
  'version',
] as const;

/** A slot as editors see it. */
export type EditableSlot = Pick<Selectable<Database['slots']>, (typeof columns)[number]>;

export const editableSlots = editableRows<EditableSlot, SlotInput>({
  table: 'slots',
  entity: 'slot',
  columns,
  nameColumn: 'title',
});

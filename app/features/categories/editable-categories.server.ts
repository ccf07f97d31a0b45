import type { Selectable } from 'kysely';
import type { Database } from '#database/schema.ts';
import { searchColumns } from '#app/features/catalog/search-fields.ts';
import { editableRows } from '#app/features/catalog/editable-rows.server.ts';
import type { CategoryInput } from './category-input.ts';

const columns = [
  'id',
  'name',
  'slug',
  'description',
  'icon',
  ...searchColumns,
  'share_image_url',
  'deal_count',
  'version',
] as const;

/** A category as editors see it. */
export type EditableCategory = Pick<Selectable<Database['categories']>, (typeof columns)[number]>;

export const editableCategories = editableRows<EditableCategory, CategoryInput>({
  table: 'categories',
  entity: 'category',
  columns,
  dealColumns: 'category_id',
});

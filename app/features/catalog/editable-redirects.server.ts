import type { Selectable } from 'kysely';
import type { Database } from '#database/schema.ts';
import { editableRows } from './editable-rows.server.ts';
import type { RedirectInput } from './redirect-input.ts';

const columns = ['id', 'from_path', 'target', 'status', 'created_by', 'version'] as const;

/** A redirect as editors see it. */
export type EditableRedirect = Pick<
  Selectable<Database['address_redirects']>,
  (typeof columns)[number]
>;

export const editableRedirects = editableRows<
  EditableRedirect,
  RedirectInput & { created_by?: string }
>({
  table: 'address_redirects',
  entity: 'redirect',
  columns,
  unique: 'address_redirects_from_path_key',
  nameColumn: 'from_path',
});

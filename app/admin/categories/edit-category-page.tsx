import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/edit-category-page';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readRow, saveRow } from '#app/admin/frame/row-editor.server.ts';
import { categoryEditor } from './category-editor.server.ts';
import { CategoryForm } from './category-form.tsx';

export function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  return readRow(request, context, categoryEditor, params.id);
}

export function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return saveRow(request, context, categoryEditor, parseRowId(params.id) ?? 0);
}

export function meta() {
  return [{ title: 'Edit Category' }];
}

export default function EditCategoryPage({ loaderData, actionData }: Route.ComponentProps) {
  return <CategoryForm {...loaderData} outcome={actionData} />;
}

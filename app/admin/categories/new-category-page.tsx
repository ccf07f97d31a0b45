import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/new-category-page';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { saveRow } from '#app/admin/frame/row-editor.server.ts';
import { categoryEditor } from './category-editor.server.ts';
import { CategoryForm } from './category-form.tsx';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  return { row: null, backTo: backToList(request.url, categoryEditor.list) };
}

export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return saveRow(request, context, categoryEditor, null);
}

export function meta() {
  return [{ title: 'Create New Category' }];
}

export default function NewCategoryPage({ loaderData, actionData }: Route.ComponentProps) {
  return <CategoryForm {...loaderData} outcome={actionData} />;
}

import { data } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/edit-category-page';
import { editableCategories } from '#app/features/categories/editable-categories.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { FormDialog } from '#app/admin/frame/form-dialog.tsx';
import { saveRow } from '#app/admin/frame/row-editor.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { categoryEditor } from './category-editor.server.ts';
import { CategoryForm } from './category-form.tsx';
import { categoryTexts } from './category-texts.ts';

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  const id = parseRowId(params.id);
  const category = id === null ? null : await editableCategories.find(appServices(context).db, id);
  if (!category) throw data(null, { status: 404 });
  return { category, backTo: backToList(request.url, '/admin/categories') };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  const backTo = backToList(request.url, '/admin/categories');
  const id = parseRowId(params.id) ?? 0;
  return saveRow(context, await readFormBody(request), categoryEditor, { id, backTo });
}

export function meta() {
  return [{ title: 'Edit Category' }];
}

export default function EditCategoryPage({ loaderData, actionData }: Route.ComponentProps) {
  const { category, backTo } = loaderData;
  return (
    <FormDialog title="Edit Category" closeHref={backTo}>
      <CategoryForm
        category={category}
        stored={categoryTexts(category)}
        outcome={actionData}
        cancelHref={backTo}
      />
    </FormDialog>
  );
}

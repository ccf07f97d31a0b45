import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/new-category-page';
import { FormDialog } from '#app/admin/frame/form-dialog.tsx';
import { saveRow } from '#app/admin/frame/row-editor.server.ts';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { categoryEditor } from './category-editor.server.ts';
import { CategoryForm } from './category-form.tsx';

export async function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  const backTo = backToList(request.url, '/admin/categories');
  return saveRow(context, await readFormBody(request), categoryEditor, { id: null, backTo });
}

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  return { backTo: backToList(request.url, '/admin/categories') };
}

export function meta() {
  return [{ title: 'Create New Category' }];
}

const fresh = { icon: 'tag' };

export default function NewCategoryPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <FormDialog title="Create New Category" closeHref={loaderData.backTo}>
      <CategoryForm
        category={null}
        stored={fresh}
        outcome={actionData}
        cancelHref={loaderData.backTo}
      />
    </FormDialog>
  );
}

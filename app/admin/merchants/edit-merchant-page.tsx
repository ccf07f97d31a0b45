import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/edit-merchant-page';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readRow, saveRow } from '#app/admin/frame/row-editor.server.ts';
import { merchantEditor } from './merchant-editor.server.ts';
import { MerchantForm } from './merchant-form.tsx';

export function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  return readRow(request, context, merchantEditor, params.id);
}

export function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return saveRow(request, context, merchantEditor, parseRowId(params.id) ?? 0);
}

export function meta() {
  return [{ title: 'Edit Merchant' }];
}

export default function EditMerchantPage({ loaderData, actionData }: Route.ComponentProps) {
  return <MerchantForm {...loaderData} outcome={actionData} />;
}

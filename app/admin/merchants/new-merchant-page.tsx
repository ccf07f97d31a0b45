import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/new-merchant-page';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { saveRow } from '#app/admin/frame/row-editor.server.ts';
import { merchantEditor } from './merchant-editor.server.ts';
import { MerchantForm } from './merchant-form.tsx';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  return { row: null, backTo: backToList(request.url, merchantEditor.list) };
}

export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return saveRow(request, context, merchantEditor, null);
}

export function meta() {
  return [{ title: 'Create New Merchant' }];
}

export default function NewMerchantPage({ loaderData, actionData }: Route.ComponentProps) {
  return <MerchantForm {...loaderData} outcome={actionData} />;
}

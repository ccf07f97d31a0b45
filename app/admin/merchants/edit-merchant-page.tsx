import { data } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/edit-merchant-page';
import { editableMerchants } from '#app/features/merchants/editable-merchants.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { FormDialog } from '#app/admin/frame/form-dialog.tsx';
import { saveRow } from '#app/admin/frame/row-editor.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { merchantEditor } from './merchant-editor.server.ts';
import { MerchantForm } from './merchant-form.tsx';
import { merchantTexts } from './merchant-texts.ts';

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  const id = parseRowId(params.id);
  const merchant = id === null ? null : await editableMerchants.find(appServices(context).db, id);
  if (!merchant) throw data(null, { status: 404 });
  return { merchant, backTo: backToList(request.url, '/admin/merchants') };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  const backTo = backToList(request.url, '/admin/merchants');
  const id = parseRowId(params.id) ?? 0;
  return saveRow(context, await readFormBody(request), merchantEditor, { id, backTo });
}

export function meta() {
  return [{ title: 'Edit Merchant' }];
}

export default function EditMerchantPage({ loaderData, actionData }: Route.ComponentProps) {
  const { merchant, backTo } = loaderData;
  return (
    <FormDialog title="Edit Merchant" closeHref={backTo}>
      <MerchantForm
        merchant={merchant}
        stored={merchantTexts(merchant)}
        outcome={actionData}
        cancelHref={backTo}
      />
    </FormDialog>
  );
}

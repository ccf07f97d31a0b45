import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/new-merchant-page';
import { FormDialog } from '#app/admin/frame/form-dialog.tsx';
import { saveRow } from '#app/admin/frame/row-editor.server.ts';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { merchantEditor } from './merchant-editor.server.ts';
import { MerchantForm } from './merchant-form.tsx';

export async function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  const backTo = backToList(request.url, '/admin/merchants');
  return saveRow(context, await readFormBody(request), merchantEditor, { id: null, backTo });
}

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  return { backTo: backToList(request.url, '/admin/merchants') };
}

export function meta() {
  return [{ title: 'Create New Merchant' }];
}

/** What a new merchant starts with: everything allowed (decision 35d). */
const fresh = { keep_history: 'on', allow_alerts: 'on' };

export default function NewMerchantPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <FormDialog title="Create New Merchant" closeHref={loaderData.backTo}>
      <MerchantForm
        merchant={null}
        stored={fresh}
        outcome={actionData}
        cancelHref={loaderData.backTo}
      />
    </FormDialog>
  );
}

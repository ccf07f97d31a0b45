import { MerchantField } from '#app/admin/deals/merchant-field.tsx';
import { EditDialog } from '#app/admin/frame/edit-dialog.tsx';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { readRow } from '#app/admin/frame/row-editor.server.ts';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { Route } from './+types/edit-coupon-page';
import { couponEditor, couponTexts, saveCoupon } from './coupon-editor.server.ts';

/** A dialog over the list with the form of a new or stored coupon. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  const { db } = appServices(context);
  const { row, backTo } = await readRow(request, context, couponEditor, params.id);
  if (!row) return { stored: {}, list: '', version: undefined, backTo };
  const { timeZone } = await readSiteSettings(db);
  const { list, version } = row;
  return { stored: await couponTexts(db, row, timeZone), list, version, backTo };
}

export function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return saveCoupon(request, context, params.id);
}

export const meta = titled('Edit Coupon', 'Create New Coupon');

const labels = {
  merchant: 'Merchant',
  code: 'Code',
  title: 'Title',
  terms: 'Terms',
  url: 'Link',
  starts_at: 'Starts at',
  ends_at: 'Ends at',
};

export default function EditCouponPage({ loaderData, actionData }: Route.ComponentProps) {
  const { timeZone } = useSite();
  const { stored, list, version, backTo } = loaderData;
  const isNew = version === undefined;
  return (
    <EditDialog
      title={isNew ? 'Create New Coupon' : 'Edit Coupon'}
      backTo={backTo}
      stored={stored}
      outcome={actionData}
      errorTitle="Error saving coupon"
      labels={labels}
      submitLabel={isNew ? 'Create Coupon' : 'Update Coupon'}
      version={version}
    >
      {(fields) => (
        <FormSection
          title="Coupon"
          hint={list ? `Imported with “${list}”. The next import may change it back.` : undefined}
        >
          <MerchantField {...fields.of('merchant')} />
          <TextField {...fields.of('code')} required maxLength={64} autoComplete="off" />
          <FullWidth>
            <TextField
              {...fields.of('title')}
              required
              maxLength={200}
              hint="What the code is for, such as “10% off all shoes”."
            />
          </FullWidth>
          <FullWidth>
            <TextAreaField {...fields.of('terms')} maxLength={2_000} rows={3} />
          </FullWidth>
          <FullWidth>
            <TextField
              {...fields.of('url')}
              inputMode="url"
              hint="Leave blank to link to the store’s website."
            />
          </FullWidth>
          <TextField
            {...fields.of('starts_at')}
            type="datetime-local"
            hint={`Leave blank to show it now. Time zone: ${timeZone}.`}
          />
          <TextField
            {...fields.of('ends_at')}
            type="datetime-local"
            hint={`Leave blank for no end. Time zone: ${timeZone}.`}
          />
        </FormSection>
      )}
    </EditDialog>
  );
}

import { Fragment, useState } from 'react';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { describeMerchant } from '#app/features/merchants/describe-merchant.ts';
import { networkIds, networkOf } from '#app/features/earnings/affiliate-networks.ts';
import { outboundUrl } from '#app/features/clicks/affiliate-url.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { Button } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { EditDialog } from '#app/admin/frame/edit-dialog.tsx';
import { type EditFields, editFields } from '#app/admin/frame/edit-form.tsx';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { optionsOf } from '#app/admin/frame/options-of.ts';
import { PictureField } from '#app/admin/media/picture-field.tsx';
import { readRow, saveRow } from '#app/admin/frame/row-editor.server.ts';
import { SlugFields } from '#app/admin/frame/slug-fields.tsx';
import { SearchSection } from '#app/admin/frame/search-section.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import type { Route } from './+types/edit-merchant-page';
import styles from './edit-merchant-page.module.css';
import { merchantEditor } from './merchant-editor.server.ts';
import { merchantLabels, merchantTexts } from './merchant-texts.ts';

/** The form of a new or stored merchant, over the list. */
export function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  return readRow(request, context, merchantEditor, params.id);
}

export function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return saveRow(request, context, merchantEditor, params.id);
}

export const meta = titled('Edit Merchant', 'Create New Merchant');

type Fields = EditFields<keyof typeof merchantLabels>;

/** Values of a new merchant: everything is allowed. */
const fresh = {
  seller_type: 'third_party',
  keep_history: 'on',
  allow_alerts: 'on',
  keeps_pictures: 'on',
};

/**
 * The Amazon Associates rules for sites that show prices: no tracking, no alerts, no copied
 * pictures. Prices are at most a day old, with their time and this note.
 */
const amazonPreset = {
  hide_price_after_hours: '24',
  show_price_timestamp: 'on',
  price_disclaimer:
    'Price and availability are as of the time shown and may change. The price and availability shown on Amazon at the time of purchase apply.',
};

export default function EditMerchantPage({ loaderData, actionData }: Route.ComponentProps) {
  const { currency } = useSite();
  const { row, backTo } = loaderData;
  return (
    <EditDialog
      title={row ? 'Edit Merchant' : 'Create New Merchant'}
      backTo={backTo}
      stored={row ? merchantTexts(row, currency) : fresh}
      outcome={actionData}
      errorTitle="Error saving merchant"
      labels={merchantLabels}
      submitLabel={row ? 'Update Merchant' : 'Create Merchant'}
      version={row?.version}
    >
      {(fields) => (
        <>
          <BasicFields fields={fields} isNew={!row} />
          <AffiliateFields fields={fields} />
          <PolicyFields key={actionData ? 'again' : 'first'} fields={fields} />
          <ReplyField fields={fields} />
          <SearchSection
            fields={fields}
            path="/merchants"
            image={fields.of('share_image_url')}
            drawn={row ? { name: `merchant-${row.id}`, version: row.version } : null}
            describe={(typed) => describeMerchant({ ...typed, name: typed.name || '…' })}
          />
        </>
      )}
    </EditDialog>
  );
}

const sellers = optionsOf({ amazon: 'Amazon', third_party: 'Third party' });

function BasicFields({ fields, isNew }: { fields: Fields; isNew: boolean }) {
  return (
    <FormSection title="Merchant">
      <SlugFields fields={fields} isNew={isNew} addressOf={(slug) => `/merchants/${slug}`} />
      <FullWidth>
        <TextAreaField {...fields.of('description')} maxLength={2_000} rows={3} />
      </FullWidth>
      <PictureField {...fields.of('logo_url')} alt="The logo" />
      <TextField {...fields.of('website_url')} inputMode="url" />
      <ChoiceField
        {...fields.of('seller_type')}
        options={sellers}
        hint="For deals that its feeds add. Existing deals are not changed."
      />
      <CheckField
        {...fields.tick('is_featured')}
        hint="Featured merchants appear prominently on the merchants page"
      />
    </FormSection>
  );
}

/** The field for the store's public reply to its discount check. */
function ReplyField({ fields }: { fields: Fields }) {
  return (
    <FormSection
      title="Discount check"
      hint="The store’s reply to the statistics on its page, shown there word for word with the date of the last change."
    >
      <FullWidth>
        <TextAreaField {...fields.of('check_reply')} maxLength={2_000} rows={4} />
      </FullWidth>
    </FormSection>
  );
}

const exampleDeal = 1234;
const subIdOptions = optionsOf({
  auto: 'Detect from the link',
  off: 'Never',
  ...Object.fromEntries(networkIds.map((id) => [id, networkOf(id).name])),
});

function AffiliateFields({ fields }: { fields: Fields }) {
  const { currency } = useSite();
  const [template, setTemplate] = useState(fields.value('affiliate_template'));
  const [subId, setSubId] = useState(fields.value('affiliate_sub_id'));
  const example = outboundUrl(
    'https://store.example/product/42',
    { affiliate_template: template, affiliate_sub_id: subId },
    exampleDeal,
  );
  return (
    <FormSection title="Links and shipping">
      <TextField
        {...fields.of('affiliate_template')}
        hint="A network’s deep link with {url}, {deal_id} and {sub_id}; or a suffix such as ?tag=name-20."
        onChange={(event) => setTemplate(event.target.value)}
      />
      <TextField
        {...fields.of('affiliate_sub_id')}
        maxLength={100}
        hint="May contain {deal_id}, too."
        onChange={(event) => setSubId(event.target.value)}
      />
      <ChoiceField
        {...fields.of('sub_id_network')}
        options={subIdOptions}
        hint="Adds a code that identifies the deal in the network’s reports. It does not identify visitors, and your own sub-id is kept."
      />
      <FullWidth>
        <p className={styles.example}>
          <span>A deal at https://store.example/product/42 links to</span>
          <output>{example}</output>
        </p>
      </FullWidth>
      <TextField
        {...fields.of('free_shipping_over')}
        label={`${merchantLabels.free_shipping_over} (${currency})`}
        inputMode="decimal"
        hint="Leave blank to show no note about shipping."
      />
      <TextField
        {...fields.of('standard_shipping')}
        label={`${merchantLabels.standard_shipping} (${currency})`}
        inputMode="decimal"
        hint="For orders below that amount, if a deal has no cost of its own. Leave blank if unknown."
      />
      <CheckField
        {...fields.tick('matches_freely')}
        hint="Its deals become offers of products by their GTIN. Ticked by itself after 50 reviewed links."
      />
    </FormSection>
  );
}

/** The permissions of the merchant's affiliate program. */
function PolicyFields({ fields }: { fields: Fields }) {
  const [preset, setPreset] = useState(0);
  const { of, tick } = preset ? editFields(amazonPreset, merchantLabels) : fields;
  return (
    <FormSection
      title="Program rules"
      hint="By default, everything is allowed. Amazon Associates forbids price tracking and alerts without consent."
    >
      <FullWidth>
        <Button data-needs-js onClick={() => setPreset(preset + 1)}>
          Use the Amazon Associates preset
        </Button>
      </FullWidth>
      <Fragment key={preset}>
        <CheckField {...tick('keep_history')} />
        <CheckField {...tick('allow_alerts')} />
        <CheckField
          {...tick('keeps_pictures')}
          hint="Small copies are made when a page first shows them. Otherwise, visitors’ browsers load pictures from the store."
        />
        <TextField
          {...of('hide_price_after_hours')}
          inputMode="numeric"
          hint="Counted from the last check. Leave blank for never."
        />
        <CheckField {...tick('show_price_timestamp')} />
        <FullWidth>
          <TextAreaField {...of('price_disclaimer')} maxLength={500} rows={2} />
        </FullWidth>
      </Fragment>
    </FormSection>
  );
}

import { useState } from 'react';
import { outboundUrl } from '#app/features/clicks/affiliate-url.ts';
import type { EditableMerchant } from '#app/features/merchants/editable-merchants.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { Button } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { DescriptionField } from '#app/admin/frame/description-field.tsx';
import { EditForm, type EditFields } from '#app/admin/frame/edit-form.tsx';
import { FormDialog } from '#app/admin/frame/form-dialog.tsx';
import type { FormOutcome } from '#app/admin/frame/form-outcome.ts';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { PicturePreview } from '#app/admin/frame/picture-preview.tsx';
import { SlugFields } from '#app/admin/frame/slug-fields.tsx';
import { amazonPreset } from './amazon-preset.ts';
import styles from './merchant-form.module.css';
import { merchantLabels } from './merchant-labels.ts';
import { merchantTexts } from './merchant-texts.ts';

/** What a new merchant starts with: everything allowed (P35d). */
const fresh = { keep_history: 'on', allow_alerts: 'on' };

/** The form of a merchant, over their list. */
export function MerchantForm({
  row,
  outcome,
  backTo,
}: {
  /** Null for a new one. */
  row: EditableMerchant | null;
  outcome: FormOutcome | undefined;
  /** The list. */
  backTo: string;
}) {
  const stored: Record<string, string> = row ? merchantTexts(row) : fresh;
  return (
    <FormDialog title={row ? 'Edit Merchant' : 'Create New Merchant'} closeHref={backTo}>
      <EditForm
        stored={stored}
        outcome={outcome}
        errorTitle="Error saving merchant"
        labels={merchantLabels}
        submitLabel={row ? 'Update Merchant' : 'Create Merchant'}
        cancelHref={backTo}
        {...(row && { version: row.version })}
      >
        {(fields) => (
          <>
            <BasicFields fields={fields} isNew={row === null} />
            <AffiliateFields fields={fields} dealId={1234} />
            <PolicyFields key={outcome ? 'again' : 'first'} fields={fields} />
          </>
        )}
      </EditForm>
    </FormDialog>
  );
}

function BasicFields({ fields, isNew }: { fields: EditFields; isNew: boolean }) {
  const [logo, setLogo] = useState(fields.value('logo_url'));
  return (
    <FormSection title="Merchant">
      <SlugFields fields={fields} isNew={isNew} addressOf={(slug) => `/merchants/${slug}`} />
      <DescriptionField fields={fields} />
      <TextField
        label="Logo URL"
        name="logo_url"
        inputMode="url"
        value={logo}
        error={fields.error('logo_url')}
        onChange={(event) => setLogo(event.target.value)}
      />
      <PicturePreview src={logo} alt="The logo" />
      <TextField
        label="Website URL"
        name="website_url"
        inputMode="url"
        defaultValue={fields.value('website_url')}
        error={fields.error('website_url')}
      />
      <CheckField
        label="Featured Merchant"
        name="is_featured"
        defaultChecked={fields.isTicked('is_featured')}
        hint="Featured merchants appear prominently on the merchants page"
      />
    </FormSection>
  );
}

function AffiliateFields({ fields, dealId }: { fields: EditFields; dealId: number }) {
  const { currency } = useSite();
  const [template, setTemplate] = useState(fields.value('affiliate_template'));
  const [subId, setSubId] = useState(fields.value('affiliate_sub_id'));
  const example = outboundUrl(
    'https://store.example/product/42',
    { affiliate_template: template, affiliate_sub_id: subId },
    dealId,
  );
  return (
    <FormSection title="Links and shipping">
      <TextField
        label="Affiliate template"
        name="affiliate_template"
        value={template}
        error={fields.error('affiliate_template')}
        hint="A network’s deep link with {url}, {deal_id} and {sub_id}; or a suffix such as ?tag=name-20."
        onChange={(event) => setTemplate(event.target.value)}
      />
      <TextField
        label="Sub-id"
        name="affiliate_sub_id"
        maxLength={100}
        value={subId}
        error={fields.error('affiliate_sub_id')}
        onChange={(event) => setSubId(event.target.value)}
      />
      <FullWidth>
        <p className={styles.example}>
          <span>A deal at https://store.example/product/42 leads to</span>
          <output>{example}</output>
        </p>
      </FullWidth>
      <TextField
        label={`Free shipping over (${currency})`}
        name="free_shipping_over"
        inputMode="decimal"
        defaultValue={fields.value('free_shipping_over')}
        error={fields.error('free_shipping_over')}
        hint="Empty: no note about shipping on its deals."
      />
    </FormSection>
  );
}

/** What the merchant's programme allows (P35d). */
function PolicyFields({ fields }: { fields: EditFields }) {
  const [preset, setPreset] = useState(0);
  const source: EditFields = preset
    ? {
        value: (name) => amazonPreset[name] ?? '',
        isTicked: (name) => (amazonPreset[name] ?? '') !== '',
        error: () => undefined,
      }
    : fields;
  return (
    <FormSection
      title="What its programme allows"
      hint="Default: everything. Amazon Associates forbids price tracking and alerts without consent."
    >
      <FullWidth>
        <Button data-needs-js onClick={() => setPreset(preset + 1)}>
          Use the Amazon Associates preset
        </Button>
      </FullWidth>
      <CheckField
        key={`history ${preset}`}
        label="Keep and show price history"
        name="keep_history"
        defaultChecked={source.isTicked('keep_history')}
      />
      <CheckField
        key={`alerts ${preset}`}
        label="Allow price alerts"
        name="allow_alerts"
        defaultChecked={source.isTicked('allow_alerts')}
      />
      <TextField
        key={`hours ${preset}`}
        label="Hide the price after (hours)"
        name="hide_price_after_hours"
        inputMode="numeric"
        defaultValue={source.value('hide_price_after_hours')}
        error={source.error('hide_price_after_hours')}
        hint="Counted from the last check. Empty: never."
      />
      <CheckField
        key={`timestamp ${preset}`}
        label="Show when the price was checked"
        name="show_price_timestamp"
        defaultChecked={source.isTicked('show_price_timestamp')}
      />
      <FullWidth>
        <TextAreaField
          key={`disclaimer ${preset}`}
          label="Price disclaimer"
          name="price_disclaimer"
          maxLength={500}
          rows={2}
          defaultValue={source.value('price_disclaimer')}
          error={source.error('price_disclaimer')}
        />
      </FullWidth>
    </FormSection>
  );
}

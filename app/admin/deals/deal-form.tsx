import { type ReactNode, useState } from 'react';
import { useNavigation } from 'react-router';
import { conditionLabels } from '#app/features/deals/deal-labels.ts';
import { dealMessages } from '#app/features/deals/deal-messages.ts';
import { DealPicture } from '#app/features/deals/deal-picture.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { pictureAddress } from '#app/platform/safe-url.ts';
import { slugify } from '#app/platform/slug.ts';
import { Button } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import type { SelectOption } from '#app/ui/select-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { EditForm, type EditFields } from '../frame/edit-form.tsx';
import type { FormOutcome } from '../frame/form-outcome.ts';
import { FormSection, FullWidth } from '../frame/form-section.tsx';
import { type DealFieldName, dealFormFields, dealFormLabel } from './deal-form-labels.ts';
import styles from './deal-form.module.css';
import { DiscountFields } from './discount-fields.tsx';
import { MerchantField } from './merchant-field.tsx';

const labels = Object.fromEntries(dealFormFields().map((name) => [name, dealFormLabel(name)]));

/** What the form's action answers when it does not lead on. */
export interface DealFormAnswer {
  outcome?: FormOutcome;
  /** The outcome of "Fetch from URL". */
  isFetch?: boolean;
  /** New for each, so that the fields take on what was filled in. */
  filled?: { id: string; values: Record<string, string>; message: string };
}

/** The form of a deal, new or stored, in the five sections of the specification. */
export function DealForm({
  stored,
  answer,
  categories,
  version,
  submitLabel,
  cancelHref,
}: {
  stored: Record<string, string>;
  answer: DealFormAnswer | undefined;
  categories: SelectOption[];
  version?: number;
  submitLabel: string;
  cancelHref: string;
}) {
  const isFetching = useNavigation().formData?.get('intent') === 'fetch';
  const filled = answer?.filled;
  return (
    <div className={styles.form}>
      <FormNotice text={filled?.message} kind="success" />
      <EditForm
        key={filled?.id ?? 'stored'}
        stored={filled?.values ?? stored}
        isUnsaved={filled !== undefined}
        outcome={answer?.outcome}
        errorTitle={answer?.isFetch ? 'Nothing was filled in' : dealMessages.saveFailed}
        labels={labels}
        submitLabel={submitLabel}
        busyLabel={isFetching ? submitLabel : 'Saving...'}
        cancelHref={cancelHref}
        {...(version !== undefined && { version })}
      >
        {(fields) => <DealFields fields={fields} categories={categories} isFetching={isFetching} />}
      </EditForm>
    </div>
  );
}

function DealFields({
  fields,
  categories,
  isFetching,
}: {
  fields: EditFields;
  categories: SelectOption[];
  isFetching: boolean;
}) {
  const { timeZone } = useSite();
  const [title, setTitle] = useState(fields.value('title'));
  const [slug, setSlug] = useState(fields.value('slug'));
  const [image, setImage] = useState(fields.value('image_url'));
  const of = (name: DealFieldName) => ({
    name,
    label: dealFormLabel(name),
    defaultValue: fields.value(name),
    error: fields.error(name),
  });
  const { label: active } = of('is_active');
  return (
    <div className={styles.sections}>
      {/* Enter in a field presses the first button of a form: that must be the one that saves. */}
      <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true">
        Save
      </button>
      <FormSection title="Basic Information">
        <FullWidth>
          <TextField
            {...of('title')}
            required
            maxLength={200}
            onChange={(event) => setTitle(event.target.value)}
          />
        </FullWidth>
        <MerchantField {...of('merchant')} />
        <ChoiceField
          {...of('category_id')}
          required
          options={[{ value: '', label: 'Choose a category' }, ...categories]}
        />
        <FullWidth>
          <TextField
            {...of('slug')}
            maxLength={100}
            onChange={(event) => setSlug(event.target.value)}
            hint={<SlugPreview text={slugify(slug) || slugify(title)} />}
          />
        </FullWidth>
        <FullWidth>
          <TextAreaField {...of('description')} rows={5} maxLength={5_000} />
        </FullWidth>
      </FormSection>
      <FormSection title="Pricing Information">
        <DiscountFields sale={of('sale_price')} original={of('original_price')} />
        <TextField {...of('coupon_code')} maxLength={64} autoComplete="off" />
      </FormSection>
      <FormSection title="Links & Media">
        <FullWidth>
          <TextField {...of('deal_url')} type="url" required maxLength={2_048} />
          <p className={styles.fetch}>
            <Button type="submit" name="intent" value="fetch" isBusy={isFetching}>
              {isFetching ? 'Fetching...' : 'Fetch from URL'}
            </Button>
            <span>Fills in what is still empty: title, price, picture, brand and stock.</span>
          </p>
        </FullWidth>
        <FullWidth>
          <div className={styles.media}>
            <TextField
              {...of('image_url')}
              maxLength={2_048}
              inputMode="url"
              onChange={(event) => setImage(event.target.value)}
              hint="The picture is shown from where it lies, by https: an http address is kept as https."
            />
            <ImagePreview url={image} />
          </div>
        </FullWidth>
      </FormSection>
      <FormSection title="Deal Settings">
        <div className={styles.ticks}>
          <CheckField
            name="is_active"
            label={active}
            defaultChecked={fields.isTicked('is_active')}
            hint="Visitors see active deals only."
          />
          <CheckField
            name="is_featured"
            label={dealFormLabel('is_featured')}
            defaultChecked={fields.isTicked('is_featured')}
            hint="Featured deals stand on the home page."
          />
        </div>
        <TextField
          {...of('expires_at')}
          type="datetime-local"
          hint={`Empty for a deal without an end. Time zone: ${timeZone}.`}
        />
      </FormSection>
      <FormSection title="Product Status & Seller Information">
        <ChoiceField {...of('status')} options={statuses} />
        <div className={styles.condition}>
          <ChoiceField {...of('condition')} options={conditions} />
        </div>
        <ChoiceField {...of('seller_type')} options={sellers} />
        <ChoiceField {...of('availability')} options={availabilities} />
        <TextField {...of('brand')} maxLength={100} />
        <TextField {...of('gtin')} inputMode="numeric" maxLength={14} />
      </FormSection>
    </div>
  );
}

function SlugPreview({ text }: { text: string }): ReactNode {
  return text === '' ? 'Made of the title when left empty.' : `Address: /deals/${text}`;
}

/** As visitors will see it. */
function ImagePreview({ url }: { url: string }) {
  const address = pictureAddress(url);
  return (
    <div className={styles.preview}>
      <DealPicture
        key={address}
        src={address}
        alt={address ? 'Preview of the picture' : 'No picture yet'}
        sizes="12rem"
      />
    </div>
  );
}

const statuses = [
  { value: 'new', label: 'New' },
  { value: 'used', label: 'Used' },
];
const conditions = [
  { value: '', label: 'Not said' },
  ...Object.entries(conditionLabels).map(([value, label]) => ({ value, label })),
];
const sellers = [
  { value: 'amazon', label: 'Amazon' },
  { value: 'third_party', label: 'Third party' },
];
const availabilities = [
  { value: 'unknown', label: 'Unknown' },
  { value: 'in_stock', label: 'In stock' },
  { value: 'out_of_stock', label: 'Out of stock' },
];

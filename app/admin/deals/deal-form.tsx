import { useState } from 'react';
import { useNavigation } from 'react-router';
import { conditionLabels } from '#app/features/deals/deal-labels.ts';
import { dealMessages } from '#app/features/deals/deal-messages.ts';
import { DealPicture } from '#app/features/deals/deal-picture.tsx';
import type { RefusedAddress } from '#app/features/pictures/picture-queue.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { pictureAddress } from '#app/platform/safe-url.ts';
import { Button } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import type { SelectOption } from '#app/ui/select-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { EditForm, type EditFields } from '../frame/edit-form.tsx';
import { PictureField } from '#app/admin/media/picture-field.tsx';
import type { FormOutcome } from '../frame/form-outcome.ts';
import { FormSection, FullWidth } from '../frame/form-section.tsx';
import { optionsOf } from '../frame/options-of.ts';
import { useSlug } from '../frame/use-slug.ts';
import { type DealFieldName, dealFormFields, dealFormLabel } from './deal-form-labels.ts';
import styles from './deal-form.module.css';
import { DiscountFields } from './discount-fields.tsx';
import { MerchantField } from './merchant-field.tsx';

const labels = Object.fromEntries(dealFormFields().map((name) => [name, dealFormLabel(name)]));

/** The form's values after "Fetch from URL". */
interface FilledDeal {
  ok: true;
  /** An id that is unique per result, so that the fields take their new values. */
  id: string;
  values: Record<string, string>;
  message: string;
}

/** The form of a new or stored deal, in the specification's five sections. */
export function DealForm({
  stored,
  refusedPicture = null,
  answer,
  categories,
  version,
  submitLabel,
  cancelHref,
}: {
  stored: Record<string, string>;
  /** A picture that pages do not show, with the reason. */
  refusedPicture?: RefusedAddress | null | undefined;
  answer: FormOutcome | FilledDeal | undefined;
  categories: SelectOption[];
  version?: number;
  submitLabel: string;
  cancelHref: string;
}) {
  const isFetching = useNavigation().formData?.get('intent') === 'fetch';
  const filled = answer?.ok ? answer : undefined;
  return (
    <div className={styles.form}>
      <FormNotice text={filled?.message} kind="success" />
      <EditForm
        key={filled?.id ?? 'stored'}
        stored={filled?.values ?? stored}
        isUnsaved={filled !== undefined}
        outcome={answer?.ok ? undefined : answer}
        errorTitle={dealMessages.saveFailed}
        labels={labels}
        submitLabel={submitLabel}
        busyLabel={isFetching ? submitLabel : 'Saving...'}
        cancelHref={cancelHref}
        version={version}
      >
        {(fields) => (
          <DealFields
            fields={fields}
            categories={categories}
            isFetching={isFetching}
            refusedPicture={refusedPicture}
            isStored={version !== undefined}
          />
        )}
      </EditForm>
    </div>
  );
}

function DealFields({
  fields,
  categories,
  isFetching,
  refusedPicture,
  isStored,
}: {
  fields: EditFields;
  isStored: boolean;
  categories: SelectOption[];
  isFetching: boolean;
  refusedPicture: RefusedAddress | null;
}) {
  const { timeZone } = useSite();
  const [title, setTitle] = useState(fields.value('title'));
  const [slug, setSlug] = useState(fields.value('slug'));
  const ofSlug = useSlug(slug);
  const ofTitle = useSlug(title);
  const address = ofSlug || ofTitle;
  const of = (name: DealFieldName) => fields.of(name);
  return (
    <div className={`stack gap-4 ${styles.sections}`}>
      {/* Enter in a field submits the form's first button, which must be Save. */}
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
            hint={address ? `Address: /deals/${address}` : 'Leave blank to use the title.'}
          />
        </FullWidth>
        <FullWidth>
          <TextAreaField {...of('description')} rows={5} maxLength={5_000} />
        </FullWidth>
      </FormSection>
      <FormSection title="Pricing Information">
        <DiscountFields sale={of('sale_price')} original={of('original_price')} />
        <TextField {...of('coupon_code')} maxLength={64} autoComplete="off" />
        <TextField
          {...of('net_contents')}
          maxLength={40}
          hint="For the price per unit, such as 700 g, 6 x 330 ml or 24 pieces."
        />
        <TextField
          {...of('shipping_cost')}
          inputMode="decimal"
          hint="Leave blank to use the store’s."
        />
        {isStored ? (
          <FullWidth>
            <CheckField
              name="looked"
              label="I just checked this price in the store"
              hint="Visitors see the current time as the last price check. Changing the price alone does not count as a check."
            />
          </FullWidth>
        ) : null}
      </FormSection>
      <FormSection title="Links & Media" isSingle>
        <div>
          <TextField {...of('deal_url')} type="url" required maxLength={2_048} />
          <p className={styles.fetch}>
            <Button type="submit" name="intent" value="fetch" isBusy={isFetching}>
              {isFetching ? 'Fetching...' : 'Fetch from URL'}
            </Button>
            <span>Fills in blank fields only: title, price, picture, brand and stock.</span>
          </p>
        </div>
        <ImageField fields={fields} refused={refusedPicture} />
      </FormSection>
      <FormSection title="Deal Settings">
        <div className="stack gap-3">
          <CheckField {...fields.tick('is_active')} hint="Visitors see active deals only." />
          <CheckField
            {...fields.tick('is_featured')}
            hint="Featured deals appear on the home page."
          />
        </div>
        <TextField
          {...of('expires_at')}
          type="datetime-local"
          hint={`Leave blank for no expiry. Time zone: ${timeZone}.`}
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
        <TextField {...of('mpn')} maxLength={70} hint="The manufacturer’s part number." />
      </FormSection>
    </div>
  );
}

/** The URL field, with the picture as visitors will see it. */
function ImageField({ fields, refused }: { fields: EditFields; refused: RefusedAddress | null }) {
  const [image, setImage] = useState(fields.value('image_url'));
  const address = pictureAddress(image);
  const isRefused = address !== null && address === refused?.address;
  const shown = isRefused ? null : address;
  return (
    <PictureField
      {...fields.of('image_url')}
      maxLength={2_048}
      alt=""
      onAddress={setImage}
      hint={
        isRefused
          ? `The picture is not shown to visitors. ${refused.reason}.`
          : 'The picture is loaded over https; an http address is saved as https.'
      }
      preview={
        <div className={styles.preview}>
          <DealPicture
            key={shown}
            src={shown}
            alt={shown ? 'Preview of the picture' : 'No picture yet'}
            sizes="12rem"
          />
        </div>
      }
    />
  );
}

const statuses = optionsOf({ new: 'New', used: 'Used' });
const conditions = optionsOf({ '': 'Not specified', ...conditionLabels });
const sellers = optionsOf({ amazon: 'Amazon', third_party: 'Third party' });
const availabilities = optionsOf({
  unknown: 'Unknown',
  in_stock: 'In stock',
  out_of_stock: 'Out of stock',
});

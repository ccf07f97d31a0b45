import type { EditFields } from '#app/admin/frame/edit-form.tsx';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { feedFormats } from '#app/features/feeds/formats/feed-fields.ts';
import type { FeedSourceRow } from '#app/features/feeds/sources/feed-source-queries.server.ts';
import { CheckField } from '#app/ui/check-field.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import type { SelectOption } from '#app/ui/select-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { formatWords, scheduleWords } from './import-words.ts';

/** Beside the schema's list, so that the browser needs no schema. */
const schedules = [15, 30, 60, 180, 360, 720, 1_440, 10_080];

export const sourceLabels = {
  name: 'Name',
  merchant: 'Merchant',
  location: 'Address or folder',
  format: 'Format',
  decimal_mark: 'Decimal mark',
  currency: 'Currency',
  fallback_category_id: 'Category',
  schedule_minutes: 'Schedule',
};

/** A source as the names of its form's fields have it. */
export function storedSource(source: FeedSourceRow): Record<string, string> {
  const text = (value: string | number | null) => (value === null ? '' : String(value));
  const tick = (value: boolean) => (value ? 'on' : '');
  return {
    name: source.name,
    merchant: source.merchant,
    location: source.location,
    format: source.format,
    decimal_mark: source.decimal_mark,
    currency: text(source.currency),
    fallback_category_id: text(source.fallback_category_id),
    schedule_minutes: text(source.schedule_minutes),
    groups_variants: tick(source.groups_variants),
    ends_missing: tick(source.ends_missing),
    is_active: tick(source.is_active),
  };
}

export function SourceFields({
  fields,
  kind,
  categories,
}: {
  fields: EditFields;
  kind: FeedSourceRow['kind'];
  categories: readonly SelectOption[];
}) {
  const text = (name: keyof typeof sourceLabels) => ({
    name,
    label: sourceLabels[name],
    defaultValue: fields.value(name),
    error: fields.error(name),
  });
  return (
    <>
      <FormSection title="Feed">
        <TextField {...text('name')} required maxLength={100} autoComplete="off" />
        <TextField {...text('merchant')} required maxLength={100} autoComplete="off" />
        {kind === 'upload' ? null : (
          <FullWidth>
            <TextField {...text('location')} required autoComplete="off" />
          </FullWidth>
        )}
        <ChoiceField
          {...text('format')}
          options={(['auto', ...feedFormats] as const).map((value) => ({
            value,
            label: formatWords[value],
          }))}
        />
        <ChoiceField
          {...text('fallback_category_id')}
          hint="Of products whose own category the site does not have."
          options={[{ value: '', label: 'A new one by the feed’s name' }, ...categories]}
        />
      </FormSection>
      <FormSection title="Prices">
        <ChoiceField
          {...text('decimal_mark')}
          hint="1.299 may be a thousand or one and a bit: say which."
          options={[
            { value: 'auto', label: 'Detect automatically' },
            { value: 'point', label: 'Point: 1,299.00' },
            { value: 'comma', label: 'Comma: 1.299,00' },
          ]}
        />
        <TextField
          {...text('currency')}
          hint="Of values that name none. Empty: the site’s. Prices in another than the site’s are refused."
          maxLength={3}
          autoComplete="off"
        />
      </FormSection>
      <FormSection title="Runs">
        {kind === 'upload' ? (
          <input type="hidden" name="schedule_minutes" value="" />
        ) : (
          <ChoiceField
            {...text('schedule_minutes')}
            options={[
              { value: '', label: 'By hand' },
              ...schedules.map((minutes) => ({
                value: String(minutes),
                label: scheduleWords(minutes),
              })),
            ]}
          />
        )}
        <FullWidth>
          <CheckField
            name="groups_variants"
            label="One deal per group of variants"
            hint="At the price of the cheapest that is in stock."
            defaultChecked={fields.isTicked('groups_variants')}
          />
          <CheckField
            name="ends_missing"
            label="End what the feed no longer names"
            hint="More than 30 % at once is asked about first. What comes back in the feed lives again."
            defaultChecked={fields.isTicked('ends_missing')}
          />
          <CheckField
            name="is_active"
            label="Active"
            hint="A paused source runs by hand only."
            defaultChecked={fields.isTicked('is_active')}
          />
        </FullWidth>
      </FormSection>
    </>
  );
}

import { testPercents } from '#app/features/newsletter/subject-test.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { EditFields } from '../frame/edit-form.tsx';
import { FormSection } from '../frame/form-section.tsx';
import type { newsletterLabels } from './newsletter-texts.ts';
import type { AudienceChoices } from '#app/features/newsletter/audience-choices.server.ts';

type Fields = EditFields<keyof typeof newsletterLabels>;

/** The fields for a newsletter's list, if there are several, and for the followers who get it. */
export function AudienceFields({
  fields,
  audiences: { lists, categories, stores },
}: {
  fields: Fields;
  audiences: AudienceChoices;
}) {
  const [only] = lists;
  const isRetired = !lists.some(({ value }) => value === fields.value('list_id'));
  const isNew = fields.value('list_id') === '';
  return (
    <>
      {lists.length === 1 && (isNew || !isRetired) ? (
        <input type="hidden" name="list_id" value={only?.value} />
      ) : (
        <ChoiceField
          {...fields.of('list_id')}
          options={isRetired && !isNew ? [{ value: '', label: 'Choose a list' }, ...lists] : lists}
          hint="Only subscribers on this list get the newsletter."
        />
      )}
      <ChoiceField
        {...fields.of('audience_category_id')}
        options={withStored(categories, fields.value('audience_category_id'))}
        hint="People who chose it in their preferences or saved a deal in it."
      />
      <ChoiceField
        {...fields.of('audience_merchant_id')}
        options={withStored(stores, fields.value('audience_merchant_id'))}
        hint="With a category as well, followers of either get it."
      />
    </>
  );
}

/** Adds the option for everyone, and a stored choice that is not listed. */
function withStored(options: AudienceChoices['stores'], stored: string) {
  const isListed = stored === '' || options.some(({ value }) => value === stored);
  return [
    { value: '', label: 'Everyone' },
    ...options,
    ...(isListed ? [] : [{ value: stored, label: `Number ${stored}` }]),
  ];
}

const hours = [1, 2, 4, 8, 24];

/** The fields of a subject test. */
export function TestFields({ fields }: { fields: Fields }) {
  return (
    <FormSection
      title="Subject test"
      hint="Optional. Two parts of the audience get different subjects. The one with more clicks goes to the rest. We don’t track opens."
    >
      <TextField
        {...fields.of('subject_b')}
        maxLength={150}
        hint="Leave blank to test only the preview line."
      />
      <TextField
        {...fields.of('preview_b')}
        maxLength={150}
        hint="Leave blank to use the first one."
      />
      <ChoiceField
        {...fields.of('test_percent')}
        options={testPercents.map((percent) => ({
          value: String(percent),
          label: percent === 50 ? 'Half of the audience' : `${percent}% of the audience`,
        }))}
        hint="With fewer than 1,000 subscribers, choose halves: smaller groups prove little."
      />
      <ChoiceField
        {...fields.of('test_hours')}
        options={[
          ...hours.map((count) => ({
            value: String(count),
            label: `After ${countNoun(count, 'hour')}, with more clicks`,
          })),
          { value: '', label: 'When I choose' },
        ]}
        hint="You can choose earlier on the newsletter’s page."
      />
    </FormSection>
  );
}

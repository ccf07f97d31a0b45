import { CheckFields } from '#app/admin/developers/check-fields.tsx';
import { MerchantField } from '#app/admin/deals/merchant-field.tsx';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import {
  type ChannelField,
  type ChannelKindName,
  channelWords,
  fieldsOfChannel,
} from '#app/features/channels/channel-fields.ts';
import { channelEventLabels } from '#app/features/channels/channel-messages.ts';
import { longestTemplate, placeholders } from '#app/features/channels/channel-template.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';

/** The values of the form, without secrets, with errors by field. */
export interface ChannelFormState {
  values: Readonly<Record<string, string>>;
  events: readonly string[];
  isActive: boolean;
  errors: Readonly<Record<string, string>>;
}

interface Choice {
  value: string;
  label: string;
}

export function ChannelForm({
  kind,
  isNew,
  state,
  categories,
}: {
  kind: ChannelKindName;
  isNew: boolean;
  state: ChannelFormState;
  categories: Choice[];
}) {
  const { values, errors } = state;
  const of = (name: string) => ({ name, defaultValue: values[name] ?? '', error: errors[name] });
  return (
    <>
      <FormSection title={channelWords[kind].label} hint={channelWords[kind].setup}>
        <TextField {...of('name')} label="Name" required maxLength={80} />
        {fieldsOfChannel(kind).map((field) => (
          <SettingField
            key={field.name}
            field={field}
            isNew={isNew}
            {...of(`setting.${field.name}`)}
          />
        ))}
      </FormSection>
      <FormSection title="What to post" hint={channelWords[kind].change}>
        <FullWidth>
          <CheckFields
            name="events"
            legend="Post when"
            offered={(['low', 'new', 'ended', 'post'] as const).map((event) => ({
              value: event,
              label: channelEventLabels[event],
            }))}
            chosen={state.events}
            error={errors['events']}
          />
        </FullWidth>
        <TextField
          {...of('least_percent')}
          label="Minimum discount (%)"
          inputMode="numeric"
          hint="0 also posts deals without a discount."
        />
        <ChoiceField
          {...of('category_id')}
          label="Category"
          options={[{ value: '', label: 'All categories' }, ...categories]}
        />
        <MerchantField
          {...of('merchant')}
          label="Merchant"
          required={false}
          hint="Leave blank for all merchants."
        />
        <TextField
          {...of('posts_a_day')}
          label="Maximum posts a day"
          inputMode="numeric"
          hint="Higher discounts go first; once the limit is reached, no more deals are posted that day."
        />
        <QuietFields of={of} />
      </FormSection>
      <FormSection title="Text">
        <FullWidth>
          <TextAreaField
            {...of('template')}
            label="Template"
            rows={5}
            maxLength={longestTemplate}
            hint={`Use ${placeholders.map((name) => `{${name}}`).join(' ')}.`}
          />
        </FullWidth>
        <FullWidth>
          <CheckField
            name="is_active"
            label="On"
            hint="While the channel is off, nothing is queued for it."
            defaultChecked={state.isActive}
          />
        </FullWidth>
      </FormSection>
    </>
  );
}

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

function QuietFields({
  of,
}: {
  of: (name: string) => { name: string; defaultValue: string; error: string | undefined };
}) {
  const { timeZone } = useSite();
  const options = [{ value: '', label: 'None' }, ...hours];
  return (
    <>
      <ChoiceField
        {...of('quiet_from')}
        label="Quiet from"
        options={options}
        hint={`Posts wait until the quiet hours end. Time zone: ${timeZone}.`}
      />
      <ChoiceField {...of('quiet_to')} label="Quiet until" options={options} />
    </>
  );
}

/** A field of this kind of channel. A stored secret is never sent to the browser. */
function SettingField({
  field: { label, type, hint, usual, isOptional },
  isNew,
  defaultValue,
  ...rest
}: {
  field: ChannelField;
  isNew: boolean;
  name: string;
  defaultValue: string;
  error: string | undefined;
}) {
  if (type === 'secret') {
    const kept = isNew ? hint : 'Leave blank to keep the stored one.';
    return (
      <TextField {...rest} label={label} hint={kept} type="password" autoComplete="new-password" />
    );
  }
  return (
    <TextField
      {...rest}
      label={label}
      hint={isOptional && !hint ? 'Optional.' : hint}
      autoComplete="off"
      defaultValue={defaultValue || (isNew ? (usual ?? '') : '')}
    />
  );
}

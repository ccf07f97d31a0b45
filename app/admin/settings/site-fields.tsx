import type { EditFields } from '#app/admin/frame/edit-form.tsx';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';

export function SiteFields({
  fields,
  timeZones,
}: {
  fields: EditFields;
  timeZones: readonly string[];
}) {
  const text = (name: string, label: string) => (
    <TextField
      label={label}
      name={name}
      defaultValue={fields.value(name)}
      error={fields.error(name)}
    />
  );
  return (
    <>
      <FormSection title="Site">
        {text('siteName', 'Site name')}
        {text('tagline', 'Tagline')}
        <CurrencyField fields={fields} />
        <TimeZoneField fields={fields} timeZones={timeZones} />
      </FormSection>
      <FormSection title="Contact">
        {text('contactEmail', 'Contact email')}
        {text('contactPhone', 'Contact phone')}
        {text('replyHours', 'Messages are answered within (hours)')}
        <FullWidth>
          <TextAreaField
            label="Support hours"
            name="supportTimes"
            rows={4}
            defaultValue={fields.value('supportTimes')}
            error={fields.error('supportTimes')}
            hint="A line each: days | hours"
          />
        </FullWidth>
      </FormSection>
    </>
  );
}

export function CurrencyField({ fields }: { fields: EditFields }) {
  return (
    <TextField
      label="Currency"
      name="currency"
      maxLength={3}
      defaultValue={fields.value('currency')}
      error={fields.error('currency')}
      hint="Three letters, such as USD or EUR. Prices that are stored are not converted."
    />
  );
}

export function TimeZoneField({
  fields,
  timeZones,
}: {
  fields: EditFields;
  timeZones: readonly string[];
}) {
  return (
    <>
      <TextField
        label="Time zone"
        name="timeZone"
        list="time-zones"
        defaultValue={fields.value('timeZone')}
        error={fields.error('timeZone')}
        hint="Such as Europe/Berlin: dates and ends of deals are shown in it."
      />
      <datalist id="time-zones">
        {timeZones.map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
    </>
  );
}

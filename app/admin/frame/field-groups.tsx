import { Fragment } from 'react';
import { CheckField } from '#app/ui/check-field.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import type { SelectOption } from '#app/ui/select-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { EditFields } from './edit-form.tsx';
import { FormSection, FullWidth } from './form-section.tsx';

/** A form field: a single-line text, unless it has `rows`, `options` or is a checkbox. */
interface FormField {
  name: string;
  hint?: string;
  rows?: number;
  options?: readonly SelectOption[];
  isTick?: boolean;
  /** Whether the field spans both columns, as multi-line text does. */
  isWide?: boolean;
  /** Whether the typed text is hidden. */
  isSecret?: boolean;
  maxLength?: number;
  required?: boolean;
  autoComplete?: string;
}

export interface FieldGroup {
  title: string;
  hint?: string;
  fields: FormField[];
}

/** Renders the fields of an `EditForm` in groups, with the form's labels. */
export function FieldGroups({
  groups,
  labels,
  fields,
  choices,
}: {
  groups: readonly FieldGroup[];
  labels: Record<string, string>;
  fields: EditFields;
  /** Options that only the server knows, by field name. */
  choices?: Record<string, readonly SelectOption[]>;
}) {
  return groups.map(({ title, hint, fields: ofGroup }) => (
    <FormSection key={title} title={title} hint={hint}>
      {ofGroup.map(({ isTick, isWide, isSecret, options: fixed, ...field }) => {
        const { name, hint: note, rows } = field;
        const label = labels[name] ?? name;
        const options = fixed ?? withChosen(choices?.[name], fields.value(name));
        const typed = {
          ...field,
          label,
          defaultValue: fields.value(name),
          error: fields.error(name),
        };
        const Place = isWide || rows ? FullWidth : Fragment;
        return (
          <Place key={name}>
            {isTick ? (
              <CheckField
                name={name}
                label={label}
                hint={note}
                defaultChecked={fields.isTicked(name)}
              />
            ) : options ? (
              <ChoiceField {...typed} options={options} />
            ) : rows ? (
              <TextAreaField {...typed} />
            ) : (
              <TextField {...typed} {...(isSecret && { type: 'password' })} />
            )}
          </Place>
        );
      })}
    </FormSection>
  ));
}

/** Returns the options, including the stored or sent value even if it is no longer available. */
function withChosen(options: readonly SelectOption[] | undefined, chosen: string) {
  const isKnown = options?.some(({ value }) => value === chosen);
  return options && !isKnown ? [{ value: chosen, label: chosen }, ...options] : options;
}

/** A datalist for fields with this `list`. */
export function Suggestions({ list, values }: { list: string; values: readonly string[] }) {
  return (
    <datalist id={list}>
      {values.map((value) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </datalist>
  );
}

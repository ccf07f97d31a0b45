import type { EditFields } from '#app/admin/frame/edit-form.tsx';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';

/** Marketing figures (P30) and the words of the home page. */
export function WordsFields({ fields }: { fields: EditFields }) {
  const area = (name: string, label: string, hint?: string) => (
    <FullWidth>
      <TextAreaField
        label={label}
        name={name}
        rows={4}
        defaultValue={fields.value(name)}
        error={fields.error(name)}
        hint={hint}
      />
    </FullWidth>
  );
  return (
    <>
      <FormSection title="Marketing figures">
        <FullWidth>
          <ChoiceField
            label="Figures"
            name="figuresMode"
            defaultValue={fields.value('figuresMode')}
            error={fields.error('figuresMode')}
            options={[
              { value: 'words', label: 'The words below' },
              { value: 'measured', label: 'The site’s true figures, measured' },
            ]}
          />
        </FullWidth>
        {area('figures', 'Figures of the home page', 'A line each: figure | what it counts')}
        {area('aboutFigures', 'Figures of the About page', 'A line each: figure | what it counts')}
      </FormSection>
      <FormSection title="Top of the home page">
        {(['heroKicker', 'heroTitle'] as const).map((name) => (
          <TextField
            key={name}
            label={name === 'heroKicker' ? 'Line above the title' : 'Title'}
            name={name}
            defaultValue={fields.value(name)}
            error={fields.error(name)}
          />
        ))}
        {area('heroText', 'Text')}
        {area('heroClaims', 'Claims', 'A line each, at most five')}
      </FormSection>
    </>
  );
}

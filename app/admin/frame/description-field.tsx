import { TextAreaField } from '#app/ui/text-area-field.tsx';
import type { EditFields } from './edit-form.tsx';
import { FullWidth } from './form-section.tsx';

/** A few sentences about what visitors find under this name. */
export function DescriptionField({ fields }: { fields: EditFields }) {
  return (
    <FullWidth>
      <TextAreaField
        label="Description"
        name="description"
        maxLength={2_000}
        rows={3}
        defaultValue={fields.value('description')}
        error={fields.error('description')}
      />
    </FullWidth>
  );
}

import { useState } from 'react';
import { categoryIcons } from '#database/schema/catalog-tables.ts';
import { categoryIcon } from '#app/features/categories/category-icon.ts';
import type { EditableCategory } from '#app/features/categories/editable-categories.server.ts';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { DescriptionField } from '#app/admin/frame/description-field.tsx';
import { EditForm } from '#app/admin/frame/edit-form.tsx';
import type { FormOutcome } from '#app/admin/frame/form-outcome.ts';
import { FormSection } from '#app/admin/frame/form-section.tsx';
import { SlugFields } from '#app/admin/frame/slug-fields.tsx';
import { categoryIconLabels } from './category-icon-labels.ts';
import styles from './category-form.module.css';
import { categoryLabels } from './category-texts.ts';

export function CategoryForm({
  category,
  stored,
  outcome,
  cancelHref,
}: {
  /** Null for a new one. */
  category: EditableCategory | null;
  stored: Record<string, string>;
  outcome: FormOutcome | undefined;
  cancelHref: string;
}) {
  const [icon, setIcon] = useState(outcome?.values['icon'] ?? stored['icon'] ?? 'tag');
  return (
    <EditForm
      stored={stored}
      outcome={outcome}
      errorTitle="Error saving category"
      labels={categoryLabels}
      submitLabel={category ? 'Update Category' : 'Create Category'}
      cancelHref={cancelHref}
      {...(category && { version: category.version })}
    >
      {(fields) => (
        <FormSection title="Category">
          <SlugFields
            fields={fields}
            isNew={category === null}
            addressOf={(slug) => `/categories/${slug}`}
          />
          <DescriptionField fields={fields} />
          <ChoiceField
            label="Icon"
            name="icon"
            value={icon}
            error={fields.error('icon')}
            options={categoryIcons.map((value) => ({ value, label: categoryIconLabels[value] }))}
            onChange={(event) => setIcon(event.target.value)}
          />
          <p className={styles.preview} data-needs-js>
            <Icon name={categoryIcon({ name: '', icon })} size={32} label="The chosen icon" />
          </p>
        </FormSection>
      )}
    </EditForm>
  );
}

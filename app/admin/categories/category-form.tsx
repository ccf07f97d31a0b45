import { useState } from 'react';
import { categoryIcons } from '#database/schema/catalog-tables.ts';
import { categoryIcon } from '#app/features/categories/category-icon.ts';
import type { EditableCategory } from '#app/features/categories/editable-categories.server.ts';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { DescriptionField } from '#app/admin/frame/description-field.tsx';
import { EditForm } from '#app/admin/frame/edit-form.tsx';
import { FormDialog } from '#app/admin/frame/form-dialog.tsx';
import type { FormOutcome } from '#app/admin/frame/form-outcome.ts';
import { FormSection } from '#app/admin/frame/form-section.tsx';
import { SlugFields } from '#app/admin/frame/slug-fields.tsx';
import { categoryIconLabels } from './category-icon-labels.ts';
import styles from './category-form.module.css';
import { categoryLabels, categoryTexts } from './category-texts.ts';

const fresh = { icon: 'tag' };

/** The form of a category, over their list. */
export function CategoryForm({
  row,
  outcome,
  backTo,
}: {
  /** Null for a new one. */
  row: EditableCategory | null;
  outcome: FormOutcome | undefined;
  /** The list. */
  backTo: string;
}) {
  const stored: Record<string, string> = row ? categoryTexts(row) : fresh;
  const [icon, setIcon] = useState(outcome?.values['icon'] ?? stored['icon'] ?? 'tag');
  return (
    <FormDialog title={row ? 'Edit Category' : 'Create New Category'} closeHref={backTo}>
      <EditForm
        stored={stored}
        outcome={outcome}
        errorTitle="Error saving category"
        labels={categoryLabels}
        submitLabel={row ? 'Update Category' : 'Create Category'}
        cancelHref={backTo}
        {...(row && { version: row.version })}
      >
        {(fields) => (
          <FormSection title="Category">
            <SlugFields
              fields={fields}
              isNew={row === null}
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
    </FormDialog>
  );
}

import { useState } from 'react';
import type { CategoryIcon } from '#database/schema/catalog-tables.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { searchLabels } from '#app/features/catalog/search-fields.ts';
import { describeCategory } from '#app/features/categories/describe-category.ts';
import { categoryIcon } from '#app/features/categories/category-icon.ts';
import { EditDialog } from '#app/admin/frame/edit-dialog.tsx';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { optionsOf } from '#app/admin/frame/options-of.ts';
import { readRow, saveRow } from '#app/admin/frame/row-editor.server.ts';
import { rowTexts } from '#app/admin/frame/row-texts.ts';
import { SearchSection } from '#app/admin/frame/search-section.tsx';
import { SlugFields } from '#app/admin/frame/slug-fields.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import type { Route } from './+types/edit-category-page';
import { categoryEditor } from './category-editor.server.ts';
import styles from './edit-category-page.module.css';

/** The form for a new or existing category, shown over the list. */
export function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  return readRow(request, context, categoryEditor, params.id);
}

export function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return saveRow(request, context, categoryEditor, params.id);
}

export const meta = titled('Edit Category', 'Create New Category');

const labels = {
  name: 'Name',
  slug: 'Slug',
  description: 'Description',
  icon: 'Icon',
  ...searchLabels,
  share_image_url: 'Picture when shared',
};

/** Labels of the icons. */
const iconLabels: Record<CategoryIcon, string> = {
  tag: 'Tag',
  smartphone: 'Smartphone',
  shirt: 'Shirt',
  home: 'Home',
  dumbbell: 'Dumbbell',
  book: 'Book',
  heart: 'Heart',
  car: 'Car',
  gamepad2: 'Gamepad',
  'shopping-bag': 'Shopping Bag',
  wrench: 'Tools',
};

export default function EditCategoryPage({ loaderData, actionData }: Route.ComponentProps) {
  const { row, backTo } = loaderData;
  const [icon, setIcon] = useState(actionData?.values['icon'] ?? row?.icon ?? 'tag');
  return (
    <EditDialog
      title={row ? 'Edit Category' : 'Create New Category'}
      backTo={backTo}
      stored={row ? rowTexts(row) : {}}
      outcome={actionData}
      errorTitle="Error saving category"
      labels={labels}
      submitLabel={row ? 'Update Category' : 'Create Category'}
      version={row?.version}
    >
      {(fields) => (
        <>
          <FormSection title="Category">
            <SlugFields fields={fields} isNew={!row} addressOf={(slug) => `/categories/${slug}`} />
            <FullWidth>
              <TextAreaField {...fields.of('description')} maxLength={2_000} rows={3} />
            </FullWidth>
            <ChoiceField
              label={labels.icon}
              name="icon"
              value={icon}
              error={fields.error('icon')}
              options={optionsOf(iconLabels)}
              onChange={(event) => setIcon(event.target.value)}
            />
            <p className={styles.preview} data-needs-js>
              <Icon name={categoryIcon({ name: '', icon })} size={32} label="The chosen icon" />
            </p>
          </FormSection>
          <SearchSection
            fields={fields}
            path="/categories"
            image={fields.of('share_image_url')}
            drawn={row ? { name: `category-${row.id}`, version: row.version } : null}
            describe={(typed) => describeCategory({ ...typed, name: typed.name || '…' })}
          />
        </>
      )}
    </EditDialog>
  );
}

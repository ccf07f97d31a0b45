import type { EditableCategory } from '#app/features/categories/editable-categories.server.ts';

/** The fields' names for people, in the order of the form. */
export const categoryLabels: Record<string, string> = {
  name: 'Name',
  slug: 'Slug',
  description: 'Description',
  icon: 'Icon',
};

/** A category as the texts of its form. */
export function categoryTexts(category: EditableCategory): Record<string, string> {
  const { name, slug, description, icon } = category;
  return { name, slug, description, icon };
}

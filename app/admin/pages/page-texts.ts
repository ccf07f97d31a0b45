import { searchLabels } from '#app/features/catalog/search-fields.ts';

/** The labels of the fields, in the order of the form. */
export const pageLabels = {
  title: 'Title',
  slug: 'Slug',
  intro: 'Introduction',
  content: 'Content',
  is_visible: 'Visible',
  ...searchLabels,
};

import { categoryInput } from '#app/features/categories/category-input.ts';
import { categoryMessages } from '#app/features/categories/category-messages.ts';
import { editableCategories } from '#app/features/categories/editable-categories.server.ts';
import { rowTexts } from '#app/admin/frame/row-texts.ts';

export const categoryEditor = {
  noun: 'category',
  list: '/admin/categories',
  rows: editableCategories,
  input: () => categoryInput,
  textsOf: rowTexts,
  messages: categoryMessages,
};

import { z } from 'zod';
import { categoryIcons } from '#database/schema/catalog-tables.ts';
import { slugText, text } from '#app/platform/input-fields.ts';

/** The fields of a category's form. */
export const categoryInput = z.object({
  name: text(100).pipe(z.string().min(1, 'Name is required')),
  slug: slugText,
  description: text(2_000).default(''),
  icon: z.enum(categoryIcons, 'Choose one of the icons').default('tag'),
});

export type CategoryInput = z.output<typeof categoryInput>;

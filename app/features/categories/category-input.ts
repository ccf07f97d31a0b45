import { z } from 'zod';
import { categoryIcons } from '#database/schema/catalog-tables.ts';
import { searchFields, shareImage } from '#app/features/catalog/search-input.ts';
import { slugText, text } from '#app/platform/input-fields.ts';

/** The fields of a category's form. */
export const categoryInput = z.object({
  name: text(100).pipe(z.string().min(1, 'Name is required')),
  slug: slugText,
  description: text(2_000).default(''),
  icon: z.enum(categoryIcons, 'Choose one of the icons').default('tag'),
  ...searchFields,
  share_image_url: shareImage,
});

export type CategoryInput = z.output<typeof categoryInput>;

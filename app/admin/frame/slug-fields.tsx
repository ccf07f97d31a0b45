import { useState } from 'react';
import { slugify } from '#database/slug.ts';
import { TextField } from '#app/ui/text-field.tsx';
import type { EditFields } from './edit-form.tsx';

/** Name and slug. A new thing's slug follows its name until somebody writes one; an old one's stays (section 4). */
export function SlugFields({
  fields,
  isNew,
  addressOf,
}: {
  fields: EditFields<'name' | 'slug'>;
  isNew: boolean;
  /** The public address of a slug, as the preview shows it. */
  addressOf: (slug: string) => string;
}) {
  const { defaultValue, ...slugField } = fields.of('slug');
  const [slug, setSlug] = useState(defaultValue);
  const [isFollowing, setFollowing] = useState(isNew && slug === '');
  return (
    <>
      <TextField
        {...fields.of('name')}
        required
        maxLength={100}
        onChange={(event) => {
          if (isFollowing) setSlug(slugify(event.target.value));
        }}
      />
      <TextField
        {...slugField}
        required
        maxLength={100}
        value={slug}
        hint={`Used in URLs: ${addressOf(slug || '…')}. Only lowercase letters, numbers, and hyphens.`}
        onChange={(event) => {
          setFollowing(false);
          setSlug(event.target.value);
        }}
      />
    </>
  );
}

import { useState } from 'react';
import { slugify } from '#database/slug.ts';
import { TextField } from '#app/ui/text-field.tsx';
import type { EditFields } from './edit-form.tsx';

/** Name and slug fields. A new slug follows the name until it is edited, and a stored one stays. */
export function SlugFields({
  fields,
  isNew,
  addressOf,
}: {
  fields: EditFields<'name' | 'slug'>;
  isNew: boolean;
  /** Returns the public address of a slug, for the preview. */
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

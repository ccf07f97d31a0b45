import { useState } from 'react';
import { slugify } from '#app/platform/slug.ts';
import { TextField } from '#app/ui/text-field.tsx';
import type { EditFields } from './edit-form.tsx';

/** Name and slug. A new thing's slug follows its name until somebody writes one; an old one's stays (section 4). */
export function SlugFields({
  fields,
  isNew,
  addressOf,
}: {
  fields: EditFields;
  isNew: boolean;
  /** The public address of a slug, as the preview shows it. */
  addressOf: (slug: string) => string;
}) {
  const [slug, setSlug] = useState(fields.value('slug'));
  const [isFollowing, setFollowing] = useState(isNew && slug === '');
  return (
    <>
      <TextField
        label="Name"
        name="name"
        required
        maxLength={100}
        defaultValue={fields.value('name')}
        error={fields.error('name')}
        onChange={(event) => {
          if (isFollowing) setSlug(slugify(event.target.value));
        }}
      />
      <TextField
        label="Slug"
        name="slug"
        required
        maxLength={100}
        value={slug}
        error={fields.error('slug')}
        hint={`Used in URLs: ${addressOf(slug || '…')}. Only lowercase letters, numbers, and hyphens.`}
        onChange={(event) => {
          setFollowing(false);
          setSlug(event.target.value);
        }}
      />
    </>
  );
}

import { useState } from 'react';
import { TextField } from '#app/ui/text-field.tsx';
import type { EditFields } from './edit-form.tsx';
import { useSlug } from './use-slug.ts';

/**
 * Name and slug fields. A new slug follows the name until the slug is edited. A stored slug does
 * not change with the name.
 */
export function SlugFields({
  fields,
  isNew,
  addressOf,
}: {
  fields: EditFields<'name' | 'slug'>;
  isNew: boolean;
  /** Returns the public URL of a slug, for the preview. */
  addressOf: (slug: string) => string;
}) {
  const { defaultValue, ...slugField } = fields.of('slug');
  const [name, setName] = useState(fields.value('name'));
  const [typed, setTyped] = useState(defaultValue);
  const [isFollowing, setFollowing] = useState(isNew && typed === '');
  const slugOfName = useSlug(isFollowing ? name : '');
  const slug = isFollowing ? slugOfName : typed;
  return (
    <>
      <TextField
        {...fields.of('name')}
        required
        maxLength={100}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        {...slugField}
        required
        maxLength={100}
        value={slug}
        hint={`Used in URLs: ${addressOf(slug || '…')}. Only lowercase letters, numbers, and hyphens.`}
        onChange={(event) => {
          setFollowing(false);
          setTyped(event.target.value);
        }}
      />
    </>
  );
}

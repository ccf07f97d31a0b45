import type { PictureUses } from '#app/features/pictures/picture-uses.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';

export const pictureMessages = {
  deleted: 'Picture deleted.',
  deleteFailed: 'Failed to delete picture',
  confirmDelete: 'Are you sure you want to delete this picture?',
  slugTaken: 'The library has this picture already.',
};

export const placeKinds = {
  deal: 'Deal',
  merchant: 'Merchant',
  category: 'Category',
  post: 'Post',
  page: 'Page',
  slot: 'Ad or announcement',
  newsletter: 'Newsletter',
  setting: 'Setting',
} as const satisfies Record<PictureUses['first'][number]['kind'], string>;

/** Explains why a picture that is shown cannot be deleted. */
export function describeUses(uses: PictureUses): string {
  const names = uses.first.slice(0, 3).map(({ kind, name }) => `${placeKinds[kind]} “${name}”`);
  const more = uses.total > names.length ? ' and others' : '';
  return `The picture is used in ${countNoun(uses.total, 'place')}: ${names.join(', ')}${more}. Replace it there first.`;
}

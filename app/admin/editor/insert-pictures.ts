import type { LibraryPicture } from '#app/features/pictures/library-picture.ts';

/** Returns Markdown with pictures in place of the selection, and the cursor position after them. */
export function insertPictures(
  text: string,
  { from, to }: { from: number; to: number },
  pictures: readonly Pick<LibraryPicture, 'address' | 'alt'>[],
): { text: string; cursor: number } {
  const added = pictures
    .map(({ address, alt }) => `![${escapeWords(alt)}](${address})`)
    .join('\n\n');
  return { text: text.slice(0, from) + added + text.slice(to), cursor: from + added.length };
}

/** Returns alt text that closes neither the brackets nor the picture's Markdown. */
function escapeWords(words: string): string {
  return words.replace(/\s+/g, ' ').replace(/[\\`[\]<]/g, '\\$&');
}

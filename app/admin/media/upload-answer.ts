import type { LibraryPicture } from '#app/features/pictures/library-picture.ts';
import { countNoun } from '#app/platform/count-noun.ts';

/** The result of an upload. */
export interface UploadAnswer {
  pictures: LibraryPicture[];
  /** The number of files that the library already had. */
  known: number;
  failures: { name: string; message: string }[];
}

export const uploadMessages = {
  nothing: 'Choose a picture.',
  interrupted: 'The upload was interrupted. Try again.',
} as const;

/** Returns a message such as `2 pictures uploaded. notes.txt: The file is not a picture.` */
export function describeUpload({ pictures, known, failures }: UploadAnswer): string {
  const added = pictures.length - known;
  return [
    added > 0 ? `${countNoun(added, 'picture')} uploaded.` : '',
    known > 0 ? `${countNoun(known, 'picture')} already in the library.` : '',
    ...failures.map(({ name, message }) => `${name}: ${message}`),
  ]
    .filter(Boolean)
    .join(' ');
}

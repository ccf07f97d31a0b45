/** A picture in the media library, with the data for forms and editors. */
export interface LibraryPicture {
  id: number;
  /** The path of its widest file, which is the value that fields store. */
  address: string;
  name: string;
  /** The text for readers who cannot see the picture. */
  alt: string;
  /** pixels of the widest file */
  width: number;
  height: number;
}

export const libraryColumns = ['id', 'address', 'name', 'alt', 'width', 'height'] as const;

/** maximum bytes of an uploaded file */
export const mostUploadedBytes = 15 * 1024 * 1024;
/** The formats that a file chooser offers. */
export const uploadedTypes = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

export const libraryMessages = {
  tooLarge: 'The file may be at most 15 MB.',
  wrongFormat: 'Use JPEG, PNG, WebP, AVIF or GIF.',
  diskFull: 'The server has no space left for pictures.',
} as const;

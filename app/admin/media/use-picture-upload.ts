import { useRef, useState } from 'react';
import type { LibraryPicture } from '#app/features/pictures/library-picture.ts';
import { describeUpload } from './upload-answer.ts';
import { uploadPictures } from './upload-pictures.ts';

interface UploadState {
  isBusy: boolean;
  /** The progress or the result, for a live region. */
  text: string;
  hasFailed: boolean;
}

/**
 * Uploads pictures and describes the progress. Files added during an upload are uploaded
 * afterwards.
 */
export function usePictureUpload(onDone: (pictures: LibraryPicture[]) => void) {
  const [state, setState] = useState<UploadState>({ isBusy: false, text: '', hasFailed: false });
  const last = useRef<Promise<void>>(Promise.resolve());
  const upload = (files: readonly File[]) => {
    if (files.length === 0) return;
    const run = async () => {
      const answer = await uploadPictures(files, (done) => {
        const place = files.length > 1 ? ` ${done + 1} of ${files.length}` : '';
        setState({ isBusy: true, text: `Uploading${place}…`, hasFailed: false });
      });
      const hasFailed = answer.failures.length > 0;
      setState({ isBusy: false, text: describeUpload(answer), hasFailed });
      if (answer.pictures.length > 0) onDone(answer.pictures);
    };
    last.current = last.current.then(run);
  };
  return { ...state, upload };
}

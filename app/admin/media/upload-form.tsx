import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { uploadedTypes } from '#app/features/pictures/library-picture.ts';
import { Button } from '#app/ui/button.tsx';
import styles from './media-page.module.css';
import { UploadButton } from './upload-button.tsx';
import { picturesIn } from './upload-pictures.ts';
import { usePictureUpload } from './use-picture-upload.ts';

/**
 * Uploads pictures that are chosen, dropped or pasted anywhere on the page. Without JavaScript,
 * this is a plain form.
 */
export function UploadForm() {
  const { revalidate } = useRevalidator();
  const [isOver, setOver] = useState(false);
  const { isBusy, text, hasFailed, upload } = usePictureUpload(() => void revalidate());
  const latest = useRef(upload);
  useEffect(() => {
    latest.current = upload;
  }, [upload]);
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = picturesIn(event.clipboardData);
      if (files.length > 0) event.preventDefault();
      latest.current(files);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
  return (
    <div
      className={styles.zone}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        upload([...event.dataTransfer.files]);
      }}
    >
      <UploadButton label="Upload pictures" isBusy={isBusy} isMultiple onFiles={upload} />
      <form
        method="post"
        action="/admin/media/upload"
        encType="multipart/form-data"
        className="bar gap-3"
        data-without-js
      >
        <label className="stack gap-tight strong">
          Pictures
          <input type="file" name="file" accept={uploadedTypes} multiple required />
        </label>
        <Button type="submit" variant="primary">
          Upload
        </Button>
      </form>
      <p>
        JPEG, PNG, WebP, AVIF or GIF, at most 15 MB and 40 megapixels each.{' '}
        <span data-needs-js>You can also drop pictures here or paste one.</span>
      </p>
      <p role="status" className={hasFailed ? styles.failed : undefined}>
        {text}
      </p>
    </div>
  );
}

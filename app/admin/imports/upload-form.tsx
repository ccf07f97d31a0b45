import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { ImportMerchantField } from './import-merchant-field.tsx';
import styles from './imports.module.css';

export interface NewSourceOutcome {
  kind: 'upload' | 'url' | 'folder';
  message?: string;
  errors?: Record<string, string>;
  values: Record<string, string>;
}

/** Posted by the browser itself: a file of 20 MB goes straight to the disk, past the page's own script. */
export function UploadForm({
  outcome,
  sourceId,
}: {
  outcome: NewSourceOutcome | undefined;
  /** Another file for a source that stands already. */
  sourceId?: number;
}) {
  return (
    <form
      method="post"
      action="/admin/imports/upload"
      encType="multipart/form-data"
      className={styles.card}
      id="upload"
      noValidate
    >
      <h2>{sourceId === undefined ? 'Upload a file' : 'Upload another file'}</h2>
      <p>
        XML, TSV, CSV, JSON, or one of those packed with gzip. At most 20 MB, and 100 MB unpacked.
      </p>
      <FormNotice text={outcome?.message} kind="error" />
      {sourceId === undefined ? (
        <ImportMerchantField outcome={outcome} />
      ) : (
        <input type="hidden" name="source" value={sourceId} />
      )}
      <label className={styles.file}>
        Feed file
        <input type="file" name="file" required />
      </label>
      <Button type="submit" look="primary">
        Look at the feed
      </Button>
    </form>
  );
}

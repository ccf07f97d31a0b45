import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';

/**
 * The form of a file that is previewed before its import (`readPreviewedFile`). A large file is
 * streamed to an `action` of its own (`readUpload`).
 */
export function PreviewedUploadForm({
  action,
  intro,
  problem,
  children,
}: {
  action?: string;
  intro: ReactNode;
  /** The reason why the last file was refused. */
  problem: string | undefined;
  children: ReactNode;
}) {
  return (
    <Form
      method="post"
      {...(action !== undefined && { action, reloadDocument: true })}
      encType="multipart/form-data"
      className={forms.stack}
      noValidate
    >
      <p>{intro}</p>
      <FormNotice text={problem} kind="error" />
      {children}
      <div className={forms.actions}>
        <Button type="submit" variant="primary">
          Continue
        </Button>
      </div>
    </Form>
  );
}

/** The field of the file, by default a table's. `accept` lists the accepted endings. */
export function PreviewedFileField({
  label,
  accept = '.csv,.tsv,.txt',
}: {
  label: string;
  accept?: string;
}) {
  return (
    <label className="stack gap-tight strong">
      {label}
      <input type="file" name="file" accept={accept} required />
    </label>
  );
}

import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';

/**
 * A form that uploads a file for a preview before the import (`readPreviewedFile`). A large file is
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

/** The file field, by default for a table. `accept` lists the accepted file extensions. */
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

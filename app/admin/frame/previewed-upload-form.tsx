import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';

/** The form of a file that is previewed before its import (`readPreviewedFile`). */
export function PreviewedUploadForm({
  intro,
  problem,
  children,
}: {
  intro: ReactNode;
  /** The reason why the last file was refused. */
  problem: string | undefined;
  children: ReactNode;
}) {
  return (
    <Form method="post" encType="multipart/form-data" className={forms.stack} noValidate>
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

/** The field of the file. `more` are accepted endings beside those of tables. */
export function PreviewedFileField({ label, more = '' }: { label: string; more?: string }) {
  return (
    <label className="stack gap-tight strong">
      {label}
      <input type="file" name="file" accept={`.csv,.tsv,.txt${more}`} required />
    </label>
  );
}

import { Form } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import styles from './imports.module.css';

export interface NewSourceOutcome {
  kind: 'upload' | 'url' | 'folder';
  message?: string;
  errors?: Record<string, string>;
  values: Record<string, string>;
}

/**
 * Posted by the browser itself, so that a file of 20 MB is streamed to disk without the page's
 * JavaScript.
 */
export function UploadForm({
  outcome,
  sourceId,
}: {
  outcome: NewSourceOutcome | undefined;
  /** An existing source that gets another file. */
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
        XML, TSV, CSV or JSON, also as gzip or ZIP. At most 20 MB, 100 MB unpacked, and 50,000 rows.
      </p>
      <FormNotice text={outcome?.message} kind="error" />
      {sourceId === undefined ? (
        <MerchantField outcome={outcome} />
      ) : (
        <input type="hidden" name="source" value={sourceId} />
      )}
      <label className={`stack gap-tight strong ${styles.file}`}>
        Feed file
        <input type="file" name="file" required />
      </label>
      <Button type="submit" variant="primary">
        Continue
      </Button>
    </form>
  );
}

const ways = {
  url: {
    title: 'Fetch from an address',
    hint: 'A file by https, FTP, FTPS or SFTP. It can be fetched again on a schedule, and only when it has changed.',
    field: { label: 'Feed address', inputMode: 'url', placeholder: 'https:// or sftp://' },
  },
  folder: {
    title: 'Watch a folder',
    hint: 'A folder below “feeds” in the data folder, for networks that deliver by SFTP; the newest complete file is used.',
    field: { label: 'Folder', inputMode: 'text', placeholder: 'awin' },
  },
} as const;

export function FetchedForm({
  kind,
  outcome: all,
}: {
  kind: keyof typeof ways;
  outcome: NewSourceOutcome | undefined;
}) {
  const { title, hint, field } = ways[kind];
  const outcome = all?.kind === kind ? all : undefined;
  return (
    <Form method="post" action="/admin/imports/new" className={styles.card} noValidate>
      <h2>{title}</h2>
      <p>{hint}</p>
      <FormNotice text={outcome?.message} kind="error" />
      <input type="hidden" name="kind" value={kind} />
      <TextField
        {...field}
        name="location"
        required
        autoComplete="off"
        defaultValue={outcome?.values.location}
        error={outcome?.errors?.location}
      />
      <MerchantField outcome={outcome} />
      {kind === 'url' ? <SignInFields outcome={outcome} /> : null}
      <Button type="submit" variant="primary">
        Continue
      </Button>
    </Form>
  );
}

/** Secrets are never shown again, so only the user name keeps what was typed. */
function SignInFields({ outcome }: { outcome: NewSourceOutcome | undefined }) {
  const { errors = {}, values } = outcome ?? {};
  const isOpen =
    ['user_name', 'password', 'token', 'private_key'].some((name) => errors[name]) ||
    Boolean(values?.['user_name']);
  return (
    <details open={isOpen} className={styles.signIn}>
      <summary>The feed needs a sign-in</summary>
      <div className="stack gap-3">
        <TextField
          name="user_name"
          label="User name"
          autoComplete="off"
          defaultValue={values?.['user_name']}
          error={errors['user_name']}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="new-password"
          error={errors['password']}
        />
        <TextField
          name="token"
          label="Bearer token"
          type="password"
          autoComplete="new-password"
          hint="Instead of a user name and password, for https."
          error={errors['token']}
        />
        <TextAreaField
          name="private_key"
          label="Private key"
          rows={3}
          autoComplete="off"
          spellCheck={false}
          hint="Instead of a password, for SFTP. Without a passphrase."
          error={errors['private_key']}
        />
      </div>
    </details>
  );
}

/** The feed's merchant: one of the page's `Suggestions`, or a new name. */
function MerchantField({ outcome }: { outcome: NewSourceOutcome | undefined }) {
  return (
    <TextField
      name="merchant"
      label="Merchant"
      required
      list="merchants"
      autoComplete="off"
      defaultValue={outcome?.values.merchant}
      error={outcome?.errors?.merchant}
    />
  );
}

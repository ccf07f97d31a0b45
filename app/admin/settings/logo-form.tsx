import { Form, useNavigation } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { PostButton } from '#app/ui/act-form.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import styles from './settings-page.module.css';

/** The logo that replaces the site's name, uploaded or fetched once and stored. */
export function LogoForm({
  logoUrl,
  refused,
}: {
  logoUrl: string;
  refused: { error: string; address: string } | undefined;
}) {
  const isBusy = useNavigation().formData?.get('intent') === 'logo';
  return (
    <section className={styles.part} aria-labelledby="logo">
      <h2 id="logo">Logo</h2>
      {logoUrl ? (
        <div className={styles.logo}>
          <img src={logoUrl} alt="The current logo" height={44} />
          <PostButton fields={{ intent: 'remove-logo' }}>Remove logo</PostButton>
        </div>
      ) : (
        <p className="muted">No logo. The site’s name is shown instead.</p>
      )}
      <Form
        method="post"
        encType="multipart/form-data"
        className={`${forms.stack} ${styles.fields}`}
      >
        <input type="hidden" name="intent" value="logo" />
        <TextField
          label="Picture"
          name="file"
          type="file"
          accept="image/*"
          hint="At most 900 KB. It is resized to a height of at most 88 pixels."
        />
        <TextField
          label="Or its address"
          name="address"
          inputMode="url"
          defaultValue={refused?.address}
          error={refused?.error}
        />
        <div>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {isBusy ? 'Saving...' : 'Save logo'}
          </Button>
        </div>
      </Form>
    </section>
  );
}

import { Form, useNavigation } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { TextField } from '#app/ui/text-field.tsx';
import styles from './settings-page.module.css';

/** A picture in place of the name's mark: sent, or fetched once and kept as our own. */
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
          <img src={logoUrl} alt="The present logo" height={44} />
          <Form method="post">
            <input type="hidden" name="intent" value="remove-logo" />
            <Button type="submit">Remove logo</Button>
          </Form>
        </div>
      ) : (
        <p className={styles.note}>None: the site’s name stands in its place.</p>
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
          hint="At most 900 KB; it is drawn anew, 88 pixels high at most."
        />
        <TextField
          label="Or its address"
          name="address"
          inputMode="url"
          defaultValue={refused?.address}
          error={refused?.error}
        />
        <div>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {isBusy ? 'Saving...' : 'Save logo'}
          </Button>
        </div>
      </Form>
    </section>
  );
}

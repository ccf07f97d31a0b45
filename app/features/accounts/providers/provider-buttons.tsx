import type { ReactNode } from 'react';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { useProviders } from '../sessions/viewer-context.tsx';
import { ProviderMark } from './provider-mark.tsx';
import styles from '../account-form.module.css';

/** Renders the buttons of the configured providers as plain forms that work without JavaScript. */
export function ProviderButtons({
  returnTo,
  children,
}: {
  returnTo: string | undefined;
  /** Sign-in methods other than a password, shown first. */
  children?: ReactNode;
}) {
  const providers = useProviders();
  const query = returnTo ? `?returnTo=${encodeURIComponent(returnTo)}` : '';
  return (
    <div className={`${forms.stack} ${styles.elsewhere}`} data-aside>
      <p className={`line gap-3 muted ${styles.or}`}>or</p>
      {children}
      {providers.map(({ id, name }) => (
        <form key={id} method="post" action={`/sign-in/with/${id}${query}`}>
          <Button type="submit" isWide>
            <ProviderMark id={id} />
            {`Continue with ${name}`}
          </Button>
        </form>
      ))}
    </div>
  );
}

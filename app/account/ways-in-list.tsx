import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import type { IdentityWays } from '#app/features/accounts/confirm-identity.server.ts';
import { PanelForm } from './account-panel.tsx';
import styles from './passkeys-page.module.css';

/** The passkeys or providers of an account, each with a form to remove it. */
export function WaysInList({
  items,
  verb,
  ways,
  action,
}: {
  items: readonly { id: string; name: string; note: string; fields: Record<string, string> }[];
  /** The label of the button, such as "Remove". */
  verb: string;
  ways: IdentityWays;
  /** The URL that the form posts to, by default the current one. */
  action?: string;
}) {
  return (
    <ul className={`stack ${styles.passkeys}`}>
      {items.map(({ id, name, note, fields }) => (
        <li key={id} data-key={id}>
          <p>
            <strong>{name}</strong>
            <br />
            <small>{note}</small>
          </p>
          <details className={`stack gap-4 ${styles.section}`}>
            <summary>
              {verb} {name}
            </summary>
            <PanelForm action={action} fields={fields} submitLabel={verb} variant="danger">
              <IdentityField ways={ways} />
            </PanelForm>
          </details>
        </li>
      ))}
    </ul>
  );
}

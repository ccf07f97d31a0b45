import { deskMessages } from '#app/features/desk/desk-messages.ts';
import { ConfirmAct } from './confirm-act.tsx';
import styles from './demo-bar.module.css';

/** Reminds staff that the site contains demo data. */
export function DemoBar() {
  return (
    <div className={styles.bar} role="note">
      <p>You’re viewing demo data.</p>
      <ConfirmAct
        label="Remove it"
        className={styles.remove}
        question={deskMessages.confirmRemoveDemo}
        detail={
          <p>
            All demo deals are deleted with their price history, favorites, alerts and clicks, as
            are demo posts, categories and merchants. Anything your own deals use is kept. You
            cannot undo this.
          </p>
        }
        confirmLabel="Remove demo data"
        fields={{ intent: 'remove-demo' }}
        action="/admin"
      />
    </div>
  );
}

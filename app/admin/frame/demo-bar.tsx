import { deskMessages } from '#app/features/desk/desk-messages.ts';
import { ConfirmAct } from './confirm-act.tsx';
import styles from './demo-bar.module.css';

/** Reminds staff that the shop is not all theirs, while demo rows are in it. */
export function DemoBar() {
  return (
    <div className={styles.bar} role="note">
      <p>Demo data is shown among your own.</p>
      <ConfirmAct
        label="Remove"
        className={styles.remove}
        question={deskMessages.confirmRemoveDemo}
        detail={
          <p>
            Every demo deal is deleted with its price history, favorites, alerts and clicks, and so
            are demo posts, categories and merchants. Whatever your own deals use stays. This cannot
            be undone.
          </p>
        }
        confirmLabel="Remove demo data"
        fields={{ intent: 'remove-demo' }}
        action="/admin"
      />
    </div>
  );
}

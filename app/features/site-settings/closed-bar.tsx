import { PostButton } from '#app/ui/act-form.tsx';
import styles from './closed-bar.module.css';
import { openSiteAct } from './closed-site.ts';

/** Tells staff on every page that visitors are kept out, with a button to let them in. */
export function ClosedBar({ says, mayOpen }: { says: string; mayOpen: boolean }) {
  return (
    <div className={styles.bar} role="note">
      <p>{says}</p>
      {mayOpen ? (
        <PostButton
          fields={openSiteAct.fields}
          form={{ action: openSiteAct.action }}
          className={styles.open}
        >
          {openSiteAct.label}
        </PostButton>
      ) : null}
    </div>
  );
}

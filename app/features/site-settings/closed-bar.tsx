import { PostButton } from '#app/ui/act-form.tsx';
import styles from './closed-bar.module.css';
import { openSiteAct } from './closed-site.ts';

/** Reminds staff on every page that visitors are locked out, with a button to open the site. */
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

import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import styles from './blog-call-to-action.module.css';

/** The next steps for readers, below every page of the blog. */
export function BlogCallToAction() {
  return (
    <aside className={styles.box} aria-labelledby="blog-next">
      <h2 id="blog-next">Put it to use</h2>
      <p>
        Every deal here shows its price history, so you can check a discount before you believe it.
      </p>
      <div className="row gap-3 above-2">
        <PrimaryLink to="/deals">Browse All Deals</PrimaryLink>
        <ButtonLink to="/">Back to Home</ButtonLink>
      </div>
    </aside>
  );
}

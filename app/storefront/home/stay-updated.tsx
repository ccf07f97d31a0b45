import type { NewsletterForm } from '#app/features/newsletter/newsletter-form.tsx';
import { Island } from '#app/islands/island.tsx';
import { Reassurances } from '#app/storefront/newsletter/reassurances.tsx';
import styles from './stay-updated.module.css';

/** The newsletter section; `/#newsletter` leads here. */
export function StayUpdated() {
  return (
    <section id="newsletter" aria-labelledby="stay-updated" className={styles.band}>
      <div className={styles.words}>
        <h2 id="stay-updated">Stay Updated</h2>
        <p>The best new deals once a week, each with what our price log knows about it.</p>
        <Reassurances />
      </div>
      <Island<typeof NewsletterForm> name="newsletter-form" props={{}} />
    </section>
  );
}

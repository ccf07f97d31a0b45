import type { NewsletterForm } from '#app/features/newsletter/newsletter-form.tsx';
import { Island } from '#app/islands/island.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { newsletterPromise } from '#app/storefront/newsletter/newsletter-promise.ts';
import { Reassurances } from '#app/storefront/newsletter/reassurances.tsx';
import styles from './stay-updated.module.css';

/** The newsletter section, which `/#newsletter` links to. */
export function StayUpdated({ title }: { title: string }) {
  return (
    <section id="newsletter" aria-labelledby="stay-updated" className={styles.band}>
      <div className={styles.words}>
        <h2 id="stay-updated">{title}</h2>
        <p>{newsletterPromise(useSite())}</p>
        <Reassurances />
      </div>
      <Island<typeof NewsletterForm> name="newsletter-form" props={{}} />
    </section>
  );
}

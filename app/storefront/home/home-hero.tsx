import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import type { HeroWords } from '#app/features/site-settings/site-settings.ts';
import styles from './home-hero.module.css';

export function HomeHero({ hero }: { hero: HeroWords }) {
  return (
    <section className={styles.hero} aria-labelledby="hero-title">
      <div className="stack start gap-4">
        {hero.kicker === '' ? null : <p className={styles.kicker}>{hero.kicker}</p>}
        <h1 id="hero-title" className={styles.title}>
          {hero.title}
        </h1>
        <p className={styles.text}>{hero.text}</p>
        <div className={`row gap-3 ${styles.actions}`}>
          <PrimaryLink to="/deals">Browse All Deals</PrimaryLink>
          <ButtonLink to="/categories">Shop by Category</ButtonLink>
        </div>
        {hero.claims.length > 0 ? (
          <ul className={styles.claims}>
            {hero.claims.map((claim) => (
              <li key={claim}>{claim}</li>
            ))}
          </ul>
        ) : null}
      </div>
      <img
        className={styles.art}
        src="/art/hero.svg"
        alt=""
        width={560}
        height={420}
        fetchPriority="high"
      />
    </section>
  );
}

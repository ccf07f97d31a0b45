import { Button, ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import type { PricedDeal } from '#app/features/prices/price-deals.server.ts';
import { PricedDealCard } from '#app/features/prices/priced-deal-card.tsx';
import type { HeroWords } from '#app/features/site-settings/site-settings.ts';
import { DealActions } from '#app/storefront/chrome/deal-actions.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import styles from './home-hero.module.css';

/** One sentence about the site, and deals that prove it, above the fold at every width. */
export function HomeHero({
  hero,
  best,
  now,
}: {
  hero: HeroWords;
  /** The deals furthest below their usual price. */
  best: PricedDeal[];
  now: Date;
}) {
  return (
    <section className="stack gap-5" aria-labelledby="hero-title">
      <div className={styles.words}>
        <div className="stack start gap-2">
          {hero.kicker === '' ? null : <p className={styles.kicker}>{hero.kicker}</p>}
          <h1 id="hero-title" className={styles.title}>
            {hero.title}
          </h1>
          <p className={styles.text}>{hero.text}</p>
        </div>
        <div className="stack gap-2">
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
      </div>
      {best.length > 0 ? (
        <div className={styles.deals} data-dense="phones">
          {best.map((priced, index) => (
            <PricedDealCard
              key={priced.deal.id}
              priced={priced}
              now={now}
              variant="compact"
              headingLevel={2}
              isEager={index < 4}
              isFirst={index === 0}
              actions={<DealActions deal={priced.deal} price={priced.price?.now ?? null} />}
            />
          ))}
        </div>
      ) : null}
      <form
        method="get"
        action="/check"
        role="search"
        aria-label="Price check"
        className={styles.check}
      >
        <TextField
          label="Is a price real? Paste a product link"
          name="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://shop.example/product"
        />
        <Button type="submit">Check price</Button>
      </form>
    </section>
  );
}

import { discountOf } from '#app/features/prices/price-claims.ts';
import type { AskedPrice } from '#app/features/prices/judge-asked-price.server.ts';
import { matchSentences } from '#app/features/search/describe-match.ts';
import { DealActions } from '#app/storefront/chrome/deal-actions.tsx';
import { DealEvidence } from '#app/storefront/deals/deal-evidence.tsx';
import { DealHeroPicture } from '#app/storefront/deals/deal-hero-picture.tsx';
import { DealPriceBox } from '#app/storefront/deals/deal-price-box.tsx';
import { reductionsHref, Verdict } from '#app/storefront/merchants/merchant-discount-check.tsx';
import { Link } from '#app/ui/link.tsx';
import { TitledSection } from '#app/ui/titled-section.tsx';
import type { CheckedProduct } from './read-checked-product.server.ts';
import styles from './check-page.module.css';

/** The deal that was found, with the verdict and the evidence of its own page. */
export function CheckedDeal({
  by,
  deal,
  otherStores,
  price,
  asked,
  verdict,
  raise,
  forecast,
  storeCheck,
  now,
}: NonNullable<CheckedProduct['found']> & { now: Date }) {
  const { merchant } = deal;
  const path = `/deals/${deal.slug}`;
  return (
    <section aria-labelledby="checked-deal">
      <p role="status" className={styles.way}>
        {matchSentences[by]}
      </p>
      <h2 id="checked-deal" className={styles.title}>
        <Link to={path}>{deal.title}</Link>
      </h2>
      {asked ? <YourPrice {...asked} /> : null}
      <div className={styles.deal}>
        <DealHeroPicture deal={deal} discount={price && discountOf(price.claim)} />
        <div className="stack gap-4">
          <DealPriceBox
            deal={deal}
            verdict={verdict}
            unit={price?.unit?.text ?? null}
            now={now}
            actions={
              <DealActions
                deal={{ ...deal, merchantName: merchant.name }}
                price={price?.now ?? null}
                hasLabels
              />
            }
          />
          {otherStores === null ? null : (
            <Link to={`/products/${otherStores.slug}`}>{otherStores.text}</Link>
          )}
          <Link to={path}>Chart and details of this deal</Link>
        </div>
        {price === null ? null : (
          <div className={styles.evidence}>
            <DealEvidence deal={deal} price={price} now={now} raise={raise} forecast={forecast} />
          </div>
        )}
      </div>
      {storeCheck && storeCheck.announced > 0 ? (
        <div className={styles.store}>
          <TitledSection
            id="store-check"
            title={`Discounts of ${merchant.name}`}
            link={{ to: reductionsHref(merchant.slug, 'all'), label: 'Discount check' }}
          >
            <Verdict check={storeCheck} />
          </TitledSection>
        </div>
      ) : null}
    </section>
  );
}

function YourPrice({ verdict, compared }: AskedPrice) {
  return (
    <div className={styles.asked}>
      <h3>Your price</h3>
      {verdict === null ? null : (
        <p>
          <strong className={styles.price}>{verdict.price}</strong>
          {verdict.rest}
        </p>
      )}
      <p className="muted">{compared}</p>
    </div>
  );
}

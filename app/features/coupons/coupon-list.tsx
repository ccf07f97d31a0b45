import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { CouponCode } from '#app/features/deals/coupon-code.tsx';
import type { ReportDialog } from '#app/features/reports/report-form.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { opens } from '#app/islands/island.tsx';
import { countNoun } from '#app/platform/count-noun.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import { TitledSection } from '#app/ui/titled-section.tsx';
import type { SomeCoupons } from './read-coupons.server.ts';
import { couponsHref, describeEnd, describeUse, type ListedCoupon } from './describe-coupon.ts';
import styles from './coupon-list.module.css';

/** Coupons with their terms, the link to the store, and the link to report whether they work. */
export function CouponList({
  coupons,
  now,
  headingLevel: level = 3,
  isOfOneStore = false,
}: {
  coupons: readonly ListedCoupon[];
  now: Date;
  headingLevel?: 2 | 3;
  /** Hides the store's name. */
  isOfOneStore?: boolean;
}) {
  const { timeZone } = useSite();
  const Heading = `h${level}` as const;
  return (
    <ul className={styles.list} data-fills>
      {coupons.map((coupon) => (
        <li key={coupon.id} className={styles.coupon}>
          {isOfOneStore ? null : (
            <Link to={`/merchants/${coupon.merchant.slug}`} className="small">
              {coupon.merchant.name}
            </Link>
          )}
          <Heading>{coupon.title}</Heading>
          <CouponCode code={coupon.code} />
          <Terms terms={coupon.terms} />
          <Facts facts={[describeEnd(coupon, now, timeZone), describeUse(coupon, now)]} />
          <p className={styles.links}>
            {coupon.hasLink ? <StoreLink coupon={coupon} /> : null}
            <ReportLink coupon={coupon} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** Lists coupons under a title with a link to all of them. Renders nothing without coupons. */
export function CouponSection({
  some: { coupons, total },
  store,
  now,
}: {
  some: Pick<SomeCoupons, 'coupons' | 'total'>;
  /** The store, if all coupons are from one. */
  store: { name: string; slug: string } | null;
  now: Date;
}) {
  if (coupons.length === 0) return null;
  const link = { to: couponsHref(store?.slug ?? null), label: `All coupons (${total})` };
  return (
    <div className={styles.section}>
      <TitledSection id="coupons" title="Coupons" link={total > coupons.length ? link : undefined}>
        <CouponList coupons={coupons} now={now} isOfOneStore={store !== null} />
        {store ? <WatchStore store={store} /> : null}
      </TitledSection>
    </div>
  );
}

/** A link to watch the store's list, whose emails include new coupons. */
function WatchStore({ store: { name, slug } }: { store: { name: string; slug: string } }) {
  const of = new URLSearchParams({ of: `/merchants/${slug}` });
  return (
    <p className="small above-2">
      <Link to={`/price-alerts/searches/new?${of}`} rel="nofollow">
        Get an email when {name} has a new deal or coupon
      </Link>
    </p>
  );
}

/** The coupons of a deal's store, collapsed since few visitors want them. */
export function StoreCoupons({
  some: { coupons, total },
  store,
  now,
}: {
  some: Pick<SomeCoupons, 'coupons' | 'total'>;
  store: { name: string; slug: string };
  now: Date;
}) {
  const { timeZone } = useSite();
  if (coupons.length === 0) return null;
  return (
    <details className={styles.folded}>
      <summary>{`${countNoun(total, 'coupon')} for ${store.name}`}</summary>
      <ul className="stack gap-3">
        {coupons.map((coupon) => (
          <li key={coupon.id} className="stack gap-1 start">
            {coupon.title}
            <CouponCode code={coupon.code} />
            <Facts facts={[describeEnd(coupon, now, timeZone), describeUse(coupon, now)]} />
          </li>
        ))}
        <li>
          <Link to={couponsHref(store.slug)}>Terms and all coupons of {store.name}</Link>
        </li>
      </ul>
    </details>
  );
}

const shownTerms = 140; // characters

function Terms({ terms }: { terms: string }) {
  if (terms === '') return null;
  return terms.length <= shownTerms ? (
    <p className={styles.terms}>{terms}</p>
  ) : (
    <details className={styles.terms}>
      <summary>Terms</summary>
      {terms}
    </details>
  );
}

function Facts({ facts }: { facts: readonly string[] }) {
  const told = facts.filter((fact) => fact !== '');
  return told.map((fact) => (
    <p key={fact} className="small figures">
      {fact}
    </p>
  ));
}

function StoreLink({ coupon: { id, code, merchant } }: { coupon: ListedCoupon }) {
  return (
    <a href={`/out/coupon/${id}`} target="_blank" rel="sponsored nofollow noopener">
      Visit Store
      <Icon name="external" size={16} />
      <span className="visually-hidden">
        {` ${merchant.name} to use ${code} (opens in a new tab)`}
      </span>
    </a>
  );
}

function ReportLink({ coupon: { id, code } }: { coupon: ListedCoupon }) {
  const needsCheck = useViewer() === null;
  const action = `/coupons/${id}/report` as const;
  return (
    <Link
      to={action}
      rel="nofollow"
      {...opens<typeof ReportDialog>('report-dialog', {
        action,
        about: 'code',
        code,
        needsCheck,
      })}
    >
      Does this code work?
      <span className="visually-hidden">{` ${code}`}</span>
    </Link>
  );
}

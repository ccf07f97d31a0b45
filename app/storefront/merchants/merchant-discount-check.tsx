import {
  describeGaps,
  figuresOf,
  type ReductionList,
  summariseCheck,
  type StoreCheck,
} from '#app/features/prices/discount-check.ts';
import type { CheckedStore } from '#app/features/prices/discount-check-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { shortDate } from '#app/platform/time-words.ts';
import { Link } from '#app/ui/link.tsx';
import { TitledSection } from '#app/ui/titled-section.tsx';
import { StoreLows } from './store-lows.tsx';
import styles from './merchant-discount-check.module.css';

/** Returns the URL of the list of reductions behind a number of the discount check. */
export function reductionsHref(slug: string, list: ReductionList, page = 1): string {
  const query = new URLSearchParams();
  if (list !== 'all') query.set('show', list);
  if (page > 1) query.set('page', String(page));
  const path = `/merchants/${slug}/discount-check`;
  return query.size > 0 ? `${path}?${query}` : path;
}

/**
 * Compares a store's announced reductions with our log. Hidden if the store's prices may not be
 * logged.
 */
export function DiscountCheck({
  store: { name, slug },
  checked: { check, reply, replied_at },
}: {
  store: { name: string; slug: string };
  checked: CheckedStore;
}) {
  if (!check) return null;
  return (
    <div className={styles.check}>
      <TitledSection
        id="discount-check"
        title="Discount check"
        link={{ to: '/how-we-rank#discount-check', label: 'How we count' }}
      >
        {check.announced === 0 && check.left_out === 0 ? (
          <p className={styles.quiet}>
            Our log shows no reduction that {name} announced in the last 90 days.
          </p>
        ) : (
          <>
            <Verdict check={check} />
            <p className={styles.quiet}>
              The reductions {name} announced in the last 90 days, compared with our price log. Each
              figure links to its list.
            </p>
            <Figures check={check} slug={slug} />
            <p className={styles.quiet}>{describeGaps(check)}</p>
          </>
        )}
        <StoreLows lows={check.lows} name={name} />
        {reply ? <StoreReply name={name} reply={reply} at={replied_at} /> : null}
      </TitledSection>
    </div>
  );
}

/** The result in one sentence, above everything that explains it. */
export function Verdict({ check }: { check: StoreCheck }) {
  return (
    <p className={styles.verdict}>
      {check.checked > 0
        ? `${summariseCheck(check)}.`
        : 'No reduction could be checked yet: our log of this store is too short.'}
    </p>
  );
}

function Figures({ check, slug }: { check: StoreCheck; slug: string }) {
  return (
    <ul className={styles.figures}>
      {figuresOf(check).map(({ list, value, words }) => (
        <li key={words}>
          <Link to={reductionsHref(slug, list)}>
            <strong>{value}</strong> <span>{words}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The store's reply, shown beside our result. */
export function StoreReply({ name, reply, at }: { name: string; reply: string; at: Date | null }) {
  const { timeZone } = useSite();
  return (
    <figure className={styles.reply}>
      <figcaption>
        {name} replies{at ? `, ${shortDate(at, timeZone)}` : null}
      </figcaption>
      <blockquote>{reply}</blockquote>
    </figure>
  );
}

import type { ShownReduction } from '#app/features/prices/show-reduction.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { fullTime, shortDate } from '#app/platform/time-words.ts';
import { Link } from '#app/ui/link.tsx';
import styles from './reductions-page.module.css';

/** One reduction with its evidence, linked by its number. */
export function ReductionEntry({ entry, number }: { entry: ShownReduction; number: number }) {
  const { timeZone } = useSite();
  const { anchor, deal, began_at, announced, facts, verdict, line } = entry;
  return (
    <li id={anchor} className={styles.entry}>
      <a href={`#${anchor}`} className={styles.number}>
        <span className="visually-hidden">Reduction </span>
        {number}
      </a>
      <div className={styles.words}>
        <h2>
          {deal ? (
            <Link to={`/deals/${deal.slug}?days=365`}>{deal.title}</Link>
          ) : (
            'A deal that is no longer listed'
          )}
        </h2>
        <p>
          <time dateTime={began_at.toISOString()} title={fullTime(began_at, timeZone)}>
            {shortDate(began_at, timeZone)}
          </time>
          {' · '}
          {announced}
        </p>
        <p className={styles.facts}>{facts.join(' ')}</p>
      </div>
      {line ? (
        <svg className={styles.line} viewBox="0 0 64 18" preserveAspectRatio="none" role="img">
          <title>The price from 90 days before to a week after</title>
          <path d={line} />
        </svg>
      ) : null}
      <span className={styles.verdict} data-kind={verdict.kind}>
        {verdict.words}
      </span>
    </li>
  );
}

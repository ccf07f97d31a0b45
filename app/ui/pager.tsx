import { Icon } from './icon.tsx';
import { Link, type LinkProps } from './link.tsx';
import { pageWindow } from './page-window.ts';
import styles from './pager.module.css';

/**
 * Renders numbered pages as links, so that they work without JavaScript and can be shared. Renders
 * nothing if there is one page.
 */
export function Pager({
  page,
  pageCount,
  hrefOf,
  label,
  swap,
}: {
  page: number;
  pageCount: number;
  hrefOf: (page: number) => string;
  /** The name of the landmark, such as `Pages of deals`. */
  label: string;
} & Pick<LinkProps, 'swap'>) {
  if (pageCount <= 1) return null;
  return (
    <nav className={styles.pager} aria-label={label}>
      {page > 1 ? (
        <Link
          className={styles.step}
          to={hrefOf(page - 1)}
          rel="prev"
          aria-label="Previous page"
          swap={swap}
        >
          <Icon name="chevron-left" size={18} />
          <span className={styles.word}>Previous</span>
        </Link>
      ) : null}
      <ol className={`line gap-1 ${styles.numbers}`}>
        {pageWindow(page, pageCount).map((step, index) => (
          <li
            key={step === 'gap' ? `gap ${index}` : step}
            data-near={isOnlyNear(step, page, pageCount)}
          >
            {step === 'gap' ? (
              <span className={styles.gap} aria-hidden="true">
                …
              </span>
            ) : (
              <Link
                className={styles.step}
                to={hrefOf(step)}
                aria-label={`Page ${step}`}
                aria-current={step === page ? 'page' : undefined}
                swap={swap}
              >
                {step}
              </Link>
            )}
          </li>
        ))}
      </ol>
      {page < pageCount ? (
        <Link
          className={styles.step}
          to={hrefOf(page + 1)}
          rel="next"
          aria-label="Next page"
          swap={swap}
        >
          <span className={styles.word}>Next</span>
          <Icon name="chevron-right" size={18} />
        </Link>
      ) : null}
    </nav>
  );
}

/** Returns whether a narrow screen hides a number, since the arrows link to the same page. */
function isOnlyNear(step: number | 'gap', page: number, pageCount: number): true | undefined {
  if (pageCount <= 5 || step === 'gap' || step === 1 || step === pageCount) return undefined;
  return step === page ? undefined : true;
}

import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import styles from './imports.module.css';

const askAgainMs = 1_500;

/** A large rollback while its job works. The page asks anew by itself, without script too. */
export function RollbackProgress({
  left,
  counts,
}: {
  left: number;
  /** What is done so far, by what became of the deals. */
  counts: Record<string, number>;
}) {
  const { state, revalidate } = useRevalidator();
  useEffect(() => {
    if (state !== 'idle') return undefined;
    const timer = setTimeout(() => void revalidate(), askAgainMs);
    return () => clearTimeout(timer);
  }, [state, revalidate]);

  const done = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const total = done + left;
  return (
    <section className={styles.progress} aria-labelledby="rollback">
      <noscript
        // A page that cannot be told of news asks for it.
        dangerouslySetInnerHTML={{ __html: '<meta http-equiv="refresh" content="3">' }}
      />
      <h2 id="rollback">Rolling back</h2>
      <progress aria-label="Deals put back" max={total} value={done} />
      <p role="status">
        {`${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} deals. You can leave this page: it goes on.`}
      </p>
    </section>
  );
}

import styles from './developers-page.module.css';

/** Lines to copy. They wrap, so that nothing has to be scrolled sideways. */
export function Code({ children }: { children: string }) {
  return (
    <pre className={styles.code}>
      <code>{children}</code>
    </pre>
  );
}

import styles from './form-notice.module.css';

/**
 * Renders the outcome of a form, above its fields. The region always exists, so that screen readers
 * announce new text.
 */
export function FormNotice({
  text,
  kind,
}: {
  text: string | undefined;
  kind: 'success' | 'error';
}) {
  return (
    <div role={kind === 'error' ? 'alert' : 'status'}>
      {text ? (
        <p className={styles.notice} data-kind={kind}>
          {text}
        </p>
      ) : null}
    </div>
  );
}

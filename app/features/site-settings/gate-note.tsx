import styles from './gate-note.module.css';

/** Reminds users with access that other visitors are locked out. */
export function GateNote({ text }: { text: string }) {
  return (
    <p className={styles.note} role="note">
      {text}
    </p>
  );
}

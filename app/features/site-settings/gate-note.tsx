import styles from './gate-note.module.css';

/** Reminds whoever is let in that the others are not (P14). */
export function GateNote({ text }: { text: string }) {
  return (
    <p className={styles.note} role="note">
      {text}
    </p>
  );
}

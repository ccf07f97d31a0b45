import { Form } from 'react-router';
import type { Verdict } from '#app/features/products/judge-pair.server.ts';
import type { LastDecision } from '#app/features/products/suggestion-queue.server.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import styles from './match-queue.module.css';

const words: Record<Verdict, string> = {
  same: 'Same product',
  different: 'Different',
  variant: 'Variant',
  hide: 'Hidden',
};

/** The staff member's last decision with Undo, and the list of shortcut keys. */
export function DecisionBar({
  hasPairs,
  last,
  onUndo,
}: {
  hasPairs: boolean;
  last: LastDecision | null;
  onUndo: () => void;
}) {
  return (
    <div className={styles.bar}>
      {hasPairs ? (
        <p className={styles.keys} data-needs-js>
          <kbd>J</kbd> <kbd>K</kbd> or arrows to move
        </p>
      ) : null}
      {last ? (
        <Form
          method="post"
          className={styles.last}
          onSubmit={(event) => {
            event.preventDefault();
            onUndo();
          }}
        >
          <HiddenFields fields={{ intent: 'undo', id: last.id }} />
          <span className={styles.lastWords}>
            Last: {words[last.verdict]}
            {last.title === null ? '' : `, ${last.title}`}
          </span>
          <Button type="submit" aria-keyshortcuts="u">
            Undo <kbd aria-hidden="true">U</kbd>
          </Button>
        </Form>
      ) : null}
    </div>
  );
}

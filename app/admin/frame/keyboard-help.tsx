import { useEffect, useRef, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { adminKeys, areKeysOn, isCommand, switchKeys } from './admin-keys.ts';
import styles from './keyboard-help.module.css';
import questionStyles from './question-dialog.module.css';

/**
 * The list of shortcuts, opened by `?` or its corner button, with a switch that turns off
 * single-key shortcuts.
 */
export function KeyboardHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [areOn, setOn] = useState(true);

  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== '?' || !isCommand(event)) return;
      event.preventDefault();
      dialog.current?.showModal();
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, []);

  return (
    <>
      <button
        type="button"
        data-needs-js
        className={styles.open}
        aria-label="Keyboard shortcuts"
        onClick={() => {
          setOn(areKeysOn());
          dialog.current?.showModal();
        }}
      >
        ?
      </button>
      <dialog
        ref={dialog}
        className={questionStyles.dialog}
        aria-labelledby="keys-title"
        closedby="any"
      >
        <h2 id="keys-title">Keyboard shortcuts</h2>
        <dl className={styles.keys}>
          {adminKeys.map(({ key, does }) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <label className={`line gap-2 below-4 ${styles.switch}`}>
          <input
            type="checkbox"
            checked={areOn}
            onChange={(event) => {
              switchKeys(event.target.checked);
              setOn(event.target.checked);
            }}
          />
          Use single keys as shortcuts
        </label>
        <Button onClick={() => dialog.current?.close()}>Close</Button>
      </dialog>
    </>
  );
}

import { type ReactNode, useId } from 'react';
import { Form } from 'react-router';
import forms from '#app/ui/form.module.css';
import { Button, type ButtonLook } from '#app/ui/button.tsx';
import styles from './question-dialog.module.css';

/**
 * A button that asks before it acts, in a dialog that names the thing. Opened by the browser itself (`command`), so it
 * asks without script as well.
 */
export function ConfirmAct({
  label,
  look = 'secondary',
  question,
  detail,
  confirmLabel,
  confirmLook = 'danger',
  fields,
  action,
  className,
}: {
  label: string;
  look?: ButtonLook;
  /** The specification's sentence. */
  question: string;
  /** Names what it is about, and what becomes of it. */
  detail?: ReactNode;
  /** The verb, such as "Delete". */
  confirmLabel: string;
  confirmLook?: ButtonLook;
  /** What is posted. */
  fields: Record<string, string>;
  /** Where to; the present address when absent. */
  action?: string;
  className?: string | undefined;
}) {
  const id = useId();
  const titleId = `${id}-title`;
  return (
    <>
      <Button look={look} className={className} commandfor={id} command="show-modal">
        {label}
      </Button>
      <dialog id={id} className={styles.dialog} aria-labelledby={titleId} closedby="any">
        <h2 id={titleId}>{question}</h2>
        {detail ? <div className={styles.detail}>{detail}</div> : null}
        <Form
          method="post"
          className={`${forms.actions} ${styles.buttons}`}
          onSubmit={(event) => event.currentTarget.closest('dialog')?.close()}
          {...(action === undefined ? {} : { action })}
        >
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Button commandfor={id} command="close">
            Cancel
          </Button>
          <Button type="submit" look={confirmLook}>
            {confirmLabel}
          </Button>
        </Form>
      </dialog>
    </>
  );
}

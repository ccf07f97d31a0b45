import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Form, Link, useBlocker, useNavigation } from 'react-router';
import { Button, buttonClass, type ButtonLook } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import { ConflictPanel } from './conflict-panel.tsx';
import styles from './edit-form.module.css';
import type { FormOutcome } from './form-outcome.ts';

/** What the fields of an edited thing show and say. */
export interface EditFields {
  /** What was typed before, else what is stored. */
  value(name: string): string;
  /** Likewise of a checkbox. */
  isTicked(name: string): boolean;
  error(name: string): string | undefined;
}

/**
 * The form of one thing: keeps what was typed, says what is wrong at its field and above, refuses a second press while
 * it saves, asks before unsaved changes are left behind, and shows both versions when somebody else saved meanwhile.
 */
export function EditForm({
  stored,
  outcome,
  errorTitle,
  version,
  labels,
  submitLabel,
  submitLook = 'primary',
  busyLabel = 'Saving...',
  cancelHref,
  cancelLabel = 'Cancel',
  isUnsaved = false,
  isIncomplete = false,
  children,
}: {
  /** By the names of the fields; a ticked checkbox is `on`, an unticked one absent or empty. */
  stored: Record<string, string>;
  /** The action's answer, when it refused. */
  outcome: FormOutcome | undefined;
  /** Above the message of a refusal, e.g. "Error saving deal". */
  errorTitle: string;
  /** Of an existing thing (R47); the form posts it as `version`. */
  version?: number;
  /** The fields' names for people: for the list of errors and for conflicts. */
  labels: Record<string, string>;
  submitLabel: string;
  /** `danger` for what cannot be undone. */
  submitLook?: ButtonLook;
  busyLabel?: string;
  cancelHref: string;
  cancelLabel?: string;
  /** What it shows from the beginning is not stored yet. */
  isUnsaved?: boolean;
  /** Without what it cannot be saved without, it is not offered to be saved. Never before scripts run. */
  isIncomplete?: boolean;
  children: (fields: EditFields) => ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const [isDirty, setDirty] = useState(isUnsaved);
  const isBusy = useNavigation().formMethod === 'POST';

  useEffect(() => {
    if (outcome) summary.current?.focus();
  }, [outcome]);

  const values = outcome?.values ?? stored;
  const fields: EditFields = {
    value: (name) => values[name] ?? '',
    isTicked: (name) => (values[name] ?? '') !== '',
    error: (name) => outcome?.errors?.[name],
  };
  const errors = Object.entries(outcome?.errors ?? {});

  return (
    <Form
      ref={form}
      method="post"
      noValidate
      className={`${forms.stack} ${styles.form}`}
      onChange={() => setDirty(true)}
      onSubmit={() => setDirty(false)}
    >
      <UnsavedGuard isDirty={isDirty && !isBusy} />
      {outcome ? (
        <div ref={summary} role="alert" tabIndex={-1} className={styles.summary}>
          <h2>{errorTitle}</h2>
          {outcome.message ? <p>{outcome.message}</p> : null}
          {errors.length > 0 ? (
            <ul>
              {errors.map(([name, message]) => (
                <li key={name}>{`${labels[name] ?? name}: ${message}`}</li>
              ))}
            </ul>
          ) : null}
        </div>
      ) : null}
      {outcome?.conflict ? (
        <ConflictPanel
          yours={outcome.values}
          theirs={outcome.conflict.current}
          labels={labels}
          form={form}
        />
      ) : null}
      {version === undefined ? null : (
        <input type="hidden" name="version" value={outcome?.conflict?.version ?? version} />
      )}
      {children(fields)}
      <div className={`${forms.actions} ${styles.buttons}`}>
        <Link to={cancelHref} className={buttonClass()}>
          {cancelLabel}
        </Link>
        <Button type="submit" look={submitLook} isBusy={isBusy} disabled={isIncomplete}>
          {isBusy ? busyLabel : submitLabel}
        </Button>
      </div>
    </Form>
  );
}

/** Asks before a click, a key or the back button leaves unsaved changes; closing the tab asks in the browser's words. */
function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDirty]);

  if (blocker.state !== 'blocked') return null;
  return (
    <ModalDialog title="Leave without saving?" onClose={blocker.reset}>
      <p>What you changed here will be lost.</p>
      <div className={`${forms.actions} ${styles.choices}`}>
        <Button onClick={blocker.reset}>Stay</Button>
        <Button look="danger" onClick={blocker.proceed}>
          Leave
        </Button>
      </div>
    </ModalDialog>
  );
}

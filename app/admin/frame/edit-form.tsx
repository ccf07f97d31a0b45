import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Form, useBlocker, useNavigation } from 'react-router';
import { useFailedForm } from '#app/islands/failed-acts/failed-act-context.ts';
import { FailedActWords } from '#app/islands/failed-acts/failed-act-words.tsx';
import { Button, buttonClass, type ButtonVariant } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { Link } from '#app/ui/link.tsx';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import { ConflictPanel } from './conflict-panel.tsx';
import styles from './edit-form.module.css';
import type { FormOutcome } from './form-outcome.ts';

interface TextProps {
  name: string;
  label: string;
  defaultValue: string;
  error: string | undefined;
}

/** The values and errors of an edit form's fields: the previous input, or the stored row. */
export type EditFields<Name extends string = string> = ReturnType<typeof editFields<Name>>;

export function editFields<Name extends string>(
  values: Readonly<Record<string, string>>,
  labels: Record<Name, string>,
  errors: Readonly<Record<string, string>> = {},
) {
  const value = (name: string) => values[name] ?? '';
  const isTicked = (name: string) => value(name) !== '';
  const error = (name: string): string | undefined => errors[name];
  const labelOf = (name: Name): string => labels[name] ?? name;
  return {
    value,
    isTicked,
    error,
    /** Returns the props of a field with its label. */
    of(name: Name): TextProps {
      return { name, label: labelOf(name), defaultValue: value(name), error: error(name) };
    },
    /** Returns the props of a checkbox with its label. */
    tick(name: Name): Pick<TextProps, 'name' | 'label'> & { defaultChecked: boolean } {
      return { name, label: labelOf(name), defaultChecked: isTicked(name) };
    },
  };
}

/**
 * An edit form. The form keeps input, and shows errors at fields and in a summary. A second submit
 * while saving is blocked. The form asks before unsaved changes are lost, and shows both versions
 * after a conflict.
 */
export function EditForm<Name extends string>({
  stored,
  outcome: answer,
  errorTitle,
  version,
  labels,
  submitLabel,
  submitVariant = 'primary',
  busyLabel = 'Saving...',
  cancelHref,
  cancelLabel = 'Cancel',
  isUnsaved = false,
  isIncomplete = false,
  children,
}: {
  /** Values by field name. A ticked checkbox is `on`, and an unticked one absent or empty. */
  stored: Record<string, string>;
  outcome: FormOutcome | undefined;
  /** The heading above a rejection, such as "Error saving deal". */
  errorTitle: string;
  /** The version of an existing row, which the form posts as `version`. */
  version?: number;
  /** Labels by field name, for the error list and for conflicts. */
  labels: Record<Name, string>;
  submitLabel: string;
  /** The style of the button, `danger` for actions that cannot be undone. */
  submitVariant?: ButtonVariant;
  busyLabel?: string;
  cancelHref: string;
  cancelLabel?: string;
  /** Whether the initial values are not stored yet. */
  isUnsaved?: boolean;
  /** Whether required fields are empty. Save is then disabled, but only once JavaScript runs. */
  isIncomplete?: boolean;
  children: (fields: EditFields<Name>) => ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const [isDirty, setDirty] = useState(isUnsaved);
  const isBusy = useNavigation().formMethod === 'POST';
  const { failed, outcome } = useOutcome(answer, labels);

  useEffect(() => {
    if (outcome) summary.current?.focus();
  }, [outcome]);

  const fields = editFields(outcome?.values ?? stored, labels, outcome?.errors);
  const labelOf: Record<string, string> = labels;
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
      <UnsavedGuard isDirty={(isDirty || failed !== null) && !isBusy} />
      {outcome ? (
        <div
          ref={summary}
          role="alert"
          tabIndex={-1}
          className={styles.summary}
          data-failed-form={failed ? '' : undefined}
          data-asks={outcome.mustConfirm && errors.length === 0 ? '' : undefined}
        >
          <h2>{outcome.title ?? errorTitle}</h2>
          {outcome.message ? <p>{outcome.message}</p> : null}
          {failed ? <FailedActWords failed={failed} /> : null}
          {errors.length > 0 ? (
            <ul>
              {errors.map(([name, message]) => (
                <li key={name}>{`${labelOf[name] ?? name}: ${message}`}</li>
              ))}
            </ul>
          ) : null}
        </div>
      ) : null}
      {outcome?.conflict ? (
        <ConflictPanel
          yours={outcome.values}
          theirs={outcome.conflict.current}
          labels={labelOf}
          form={form}
        />
      ) : null}
      {version === undefined ? null : (
        <input type="hidden" name="version" value={outcome?.conflict?.version ?? version} />
      )}
      {children(fields)}
      <div className={`${forms.actions} ${styles.buttons}`}>
        <Button type="submit" variant={submitVariant} isBusy={isBusy} disabled={isIncomplete}>
          {isBusy ? busyLabel : submitLabel}
        </Button>
        <Link to={cancelHref} className={buttonClass()}>
          {cancelLabel}
        </Link>
      </div>
    </Form>
  );
}

/** Returns the action's outcome, or the error with the input if the action failed. */
function useOutcome(answer: FormOutcome | undefined, labels: Record<string, string>) {
  const failed = useFailedForm([...Object.keys(labels), 'password', 'credential']);
  return useMemo(() => {
    if (!failed || answer) return { failed: null, outcome: answer };
    const typed = Object.entries(failed.values).map(([name, texts]) => [name, texts.at(-1) ?? '']);
    const title = failed.title === null ? {} : { title: failed.title };
    const outcome: FormOutcome = { ok: false, ...title, values: Object.fromEntries(typed) };
    return { failed, outcome };
  }, [answer, failed]);
}

/**
 * Asks before a click, a key or the back button discards unsaved changes. Closing the tab shows the
 * browser's own question.
 */
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
      <p>Your changes will be lost.</p>
      <div className={`${forms.actions} ${styles.choices}`}>
        <Button onClick={blocker.reset}>Stay</Button>
        <Button variant="danger" onClick={blocker.proceed}>
          Leave
        </Button>
      </div>
    </ModalDialog>
  );
}

import { data } from 'react-router';

/** The response of an admin action that was rejected. All input is kept. */
export interface FormOutcome {
  ok: false;
  /** A title in place of the form's own error title, such as "Error saving deal". */
  title?: string;
  /** An error that concerns the whole form, shown above its fields. */
  message?: string;
  /** Errors by field name. */
  errors?: Record<string, string>;
  /** The submitted values by field name. */
  values: Record<string, string>;
  /** Whether the change would lock out its author, so that the form must ask for confirmation. */
  mustConfirm?: boolean;
  /** The stored values after a conflicting save, and the version to overwrite. */
  conflict?: { version: number; current: Record<string, string> };
}

/** Returns a form's texts by name, to show the form again. Only ticked checkboxes are present. */
export function typedValues(form: FormData): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value === 'string') values[name] = value;
  }
  return values;
}

/**
 * Shows the form again with its errors and input, with status 422, or 409 after a conflicting save.
 */
export function refuseForm(outcome: Omit<FormOutcome, 'ok'>, status?: number) {
  return data<FormOutcome>(
    { ok: false, ...outcome },
    { status: status ?? (outcome.conflict ? 409 : 422) },
  );
}

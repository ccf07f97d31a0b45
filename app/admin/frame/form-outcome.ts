import { data } from 'react-router';

/** What an action of the back office answers when it did not do what was asked. Nothing typed is lost. */
export interface FormOutcome {
  ok: false;
  /** In place of the form's own, such as "Error saving deal". */
  title?: string;
  /** For the whole form, above its fields. */
  message?: string;
  /** By the names of the fields. */
  errors?: Record<string, string>;
  /** What was typed, by name. */
  values: Record<string, string>;
  /** It would shut out whoever saves it: the form asks whether they mean it (R64). */
  mustConfirm?: boolean;
  /** Somebody else saved meanwhile: what stands now, and the version to save over. */
  conflict?: { version: number; current: Record<string, string> };
}

/** A form's texts by name, to show it again as it was. A ticked checkbox is there, an unticked one is not. */
export function typedValues(form: FormData): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value === 'string') values[name] = value;
  }
  return values;
}

/** The form again, with what is wrong and all that was typed: 422, or 409 where somebody else saved meanwhile. */
export function refuseForm(outcome: Omit<FormOutcome, 'ok'>, status?: number) {
  return data<FormOutcome>(
    { ok: false, ...outcome },
    { status: status ?? (outcome.conflict ? 409 : 422) },
  );
}

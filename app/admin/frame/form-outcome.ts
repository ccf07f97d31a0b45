/** What an action of the back office answers when it did not do what was asked. Nothing typed is lost. */
export interface FormOutcome {
  ok: false;
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

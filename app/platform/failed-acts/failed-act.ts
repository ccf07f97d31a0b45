/** A form or an act that met an error: what the page says of it, and what was typed. */
export interface FailedAct {
  /** The sentence of the act, such as "Failed to delete deal"; null where the form has one of its own. */
  title: string | null;
  cause: string;
  /** Finds the log line; null where the site was never reached. */
  requestId: string | null;
  /** What was typed, by name. Of passwords and codes there is the name alone. */
  values: Record<string, string[]>;
}

/** A form whose answer never came, or was none of its action's. */
export const lostAct: FailedAct = {
  title: null,
  cause: 'The site could not be reached, or did not answer. What you typed is still here.',
  requestId: null,
  values: {},
};

/** The answer of an action in place of its error, for the router in the browser. */
export interface FailedActAnswer {
  failedAct: FailedAct;
}

const secretFields = /password|credential|captcha|^code$/i;

/** The texts of a form by name. Secrets and files are named, and no more. */
export function typedTexts(form: FormData | null): FailedAct['values'] {
  const values: FailedAct['values'] = {};
  for (const [name, value] of form ?? []) {
    const texts = (values[name] ??= []);
    if (typeof value === 'string' && !secretFields.test(name)) texts.push(value);
  }
  return values;
}

export function isFailedAct(answer: unknown): answer is FailedActAnswer {
  return typeof answer === 'object' && answer !== null && 'failedAct' in answer;
}

/** The failure in one line, where there is no room for more. */
export function describeFailedAct({ title, cause, requestId }: FailedAct): string {
  const reference = requestId === null ? '' : ` Reference: ${requestId}`;
  const begin = title === null ? '' : title.endsWith('.') ? `${title} ` : `${title}: `;
  return `${begin}${cause}${reference}`;
}

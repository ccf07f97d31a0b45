/** A form or an act that met an error: the message for the page, and the typed values. */
export interface FailedAct {
  /** The sentence of the act, such as "Failed to delete deal"; null if the form has its own. */
  title: string | null;
  cause: string;
  /** Finds the log line; null if the site was never reached. */
  requestId: string | null;
  /** The typed values by name. Passwords and codes are listed without a value. */
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

/** The texts of a form by name. Secrets and files are listed by name only. */
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

/** The failure in one line, for places without room for more. */
export function describeFailedAct({ title, cause, requestId }: FailedAct): string {
  const reference = requestId === null ? '' : ` Reference: ${requestId}`;
  const begin = title === null ? '' : title.endsWith('.') ? `${title} ` : `${title}: `;
  return `${begin}${cause}${reference}`;
}

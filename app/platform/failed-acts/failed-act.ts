/** A form or an action that failed: the message for the page, and the typed values. */
export interface FailedAct {
  /** The action's message, such as "Failed to delete deal". Null if the form has its own. */
  title: string | null;
  cause: string;
  /** The id that identifies the log line. Null if the site was never reached. */
  requestId: string | null;
  /** The typed values by name. Passwords and codes are listed without a value. */
  values: Record<string, string[]>;
}

/**
 * The error shown when a form's response never arrived, or came from something other than its
 * action, such as a proxy.
 */
export const lostAct: FailedAct = {
  title: null,
  cause: 'The site could not be reached, or did not respond. What you typed is still here.',
  requestId: null,
  values: {},
};

/** The response of an action in place of its error, for the client-side router. */
export interface FailedActAnswer {
  failedAct: FailedAct;
}

const secretFields = /password|credential|captcha|^code$/i;

/** Returns the texts of a form by name. Secrets and files are listed by name only. */
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

/** Describes the failure in one line, for places with little space. */
export function describeFailedAct({ title, cause, requestId }: FailedAct): string {
  const reference = requestId === null ? '' : ` Reference: ${requestId}`;
  const begin = title === null ? '' : title.endsWith('.') ? `${title} ` : `${title}: `;
  return `${begin}${cause}${reference}`;
}

/** The states of an email. `kept`: the email was due while no mail server was configured. */
export const mailStates = ['queued', 'sent', 'failed', 'cancelled', 'kept'] as const;
export type MailState = (typeof mailStates)[number];

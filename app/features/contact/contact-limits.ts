/** The maximum of each field, for the form and the server. */
export const contactLimits = {
  name: 100,
  email: 254,
  subject: 150,
  message: 5000,
  answer: 10_000,
} as const;

export type ContactField = Exclude<keyof typeof contactLimits, 'answer'>;

/** A honeypot field: only bots fill it in. */
export const trapField = 'website';

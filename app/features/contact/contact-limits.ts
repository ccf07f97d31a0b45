/** The longest of each field (security.md, limits); the form and the server go by the same. */
export const contactLimits = {
  name: 100,
  email: 254,
  subject: 150,
  message: 5000,
  answer: 10_000,
} as const;

export type ContactField = Exclude<keyof typeof contactLimits, 'answer'>;

/** A field that no person sees: whoever fills it in is a machine. */
export const trapField = 'website';

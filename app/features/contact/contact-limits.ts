/** The longest of each field (security.md, limits); the form and the server go by the same. */
export const contactLimits = { name: 100, email: 254, subject: 150, message: 5000 } as const;

export type ContactField = keyof typeof contactLimits;

/** A field that no person sees: whoever fills it in is a machine. */
export const trapField = 'website';

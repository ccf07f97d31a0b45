const optionalUses = ['analytics', 'marketing', 'preferences'] as const;
export type OptionalUse = (typeof optionalUses)[number];

/** The storage that a visitor allows. Only essential storage cannot be refused. */
export type CookiePreferences = { essential: true } & Record<OptionalUse, boolean>;

/** The preferences before a choice: nothing is measured until the visitor allows it. */
export const defaultCookiePreferences: CookiePreferences = {
  essential: true,
  analytics: false,
  marketing: false,
  preferences: true,
};

export const cookiePreferencesKey = 'cookie-preferences';

/**
 * Returns the stored choice merged over the defaults, or the defaults if nothing is stored or it
 * cannot be read.
 */
export function readCookiePreferences(): CookiePreferences {
  const kept = { ...defaultCookiePreferences };
  try {
    const stored: Partial<Record<OptionalUse, unknown>> | null = JSON.parse(
      localStorage.getItem(cookiePreferencesKey) ?? '{}',
    );
    for (const use of optionalUses) {
      const choice = stored?.[use];
      if (typeof choice === 'boolean') kept[use] = choice;
    }
  } catch (error) {
    console.error('The cookie preferences could not be read:', error);
  }
  return kept;
}

/**
 * Returns whether the visitor allows a kind of storage. Call this each time before storing or
 * measuring anything that is not essential.
 */
export function isAllowed(use: OptionalUse): boolean {
  return readCookiePreferences()[use];
}

const optionalUses = ['analytics', 'marketing', 'preferences'] as const;
export type OptionalUse = (typeof optionalUses)[number];

/** What a visitor allows this browser to keep. Only what is essential cannot be refused. */
export type CookiePreferences = { essential: true } & Record<OptionalUse, boolean>;

/** Nothing is measured before somebody allows it (P32). */
export const defaultCookiePreferences: CookiePreferences = {
  essential: true,
  analytics: false,
  marketing: false,
  preferences: true,
};

export const cookiePreferencesKey = 'cookie-preferences';

/** The stored choice over the defaults; the defaults alone where nothing is stored or it cannot be read. */
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

/** Asked by whoever would store or measure something that is not essential, each time before it does. */
export function isAllowed(use: OptionalUse): boolean {
  return readCookiePreferences()[use];
}

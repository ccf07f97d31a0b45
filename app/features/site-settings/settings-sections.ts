import type { SiteSettings } from './site-settings.ts';

/** Settings that one form changes together: its version covers them, and nothing else of the site's. */
export const settingsSections = {
  /** The second step of setting up. */
  setup: ['siteName', 'currency', 'timeZone'],
  site: [
    'siteName',
    'tagline',
    'contactEmail',
    'contactPhone',
    'supportTimes',
    'replyHours',
    'currency',
    'timeZone',
  ],
  words: ['figuresMode', 'figures', 'aboutFigures', 'hero'],
  prices: ['priceClaims', 'wasPriceDays'],
  newsletter: ['postalAddress', 'digestEnabled', 'doubleOptIn'],
  staff: ['staffSecondFactor'],
} as const satisfies Record<string, readonly (keyof SiteSettings)[]>;

export type SettingsSection = keyof typeof settingsSections;

/** The fields' names for people, in the order of the forms. */
export const settingsLabels: Record<SettingsSection, Record<string, string>> = {
  setup: { siteName: 'Site name', currency: 'Currency', timeZone: 'Time zone' },
  site: {
    siteName: 'Site name',
    tagline: 'Tagline',
    contactEmail: 'Contact email',
    contactPhone: 'Contact phone',
    supportTimes: 'Support hours',
    replyHours: 'Messages are answered within (hours)',
    currency: 'Currency',
    timeZone: 'Time zone',
  },
  words: {
    figuresMode: 'Figures',
    figures: 'Figures of the home page',
    aboutFigures: 'Figures of the About page',
    heroKicker: 'Line above the title',
    heroTitle: 'Title',
    heroText: 'Text',
    heroClaims: 'Claims',
  },
  prices: { priceClaims: 'Price claims', wasPriceDays: 'Shortest time of a “was” price (days)' },
  newsletter: {
    postalAddress: 'Postal address',
    digestEnabled: 'Weekly digest',
    doubleOptIn: 'Confirm new subscriptions by mail',
  },
  staff: { staffSecondFactor: 'Ask all staff for a second step' },
};

/** The settings of a section as the texts of its form. */
export function settingsTexts(section: SettingsSection, settings: SiteSettings) {
  return texts[section](settings);
}

const tick = (isOn: boolean) => (isOn ? 'on' : '');
const pairs = (list: readonly (readonly [string, string])[]) =>
  list.map(([first, second]) => `${first} | ${second}`).join('\n');

const texts: Record<SettingsSection, (settings: SiteSettings) => Record<string, string>> = {
  setup: ({ siteName, currency, timeZone }) => ({ siteName, currency, timeZone }),
  site: ({ supportTimes, replyHours, ...settings }) => {
    const { siteName, tagline, contactEmail, contactPhone, currency, timeZone } = settings;
    const plain = { siteName, tagline, contactEmail, contactPhone, currency, timeZone };
    return {
      ...plain,
      supportTimes: pairs(supportTimes.map(({ days, hours }) => [days, hours])),
      replyHours: String(replyHours),
    };
  },
  words: ({ figuresMode, figures, aboutFigures, hero }) => ({
    figuresMode,
    figures: pairs(figures.map(({ value, label }) => [value, label])),
    aboutFigures: pairs(aboutFigures.map(({ value, label }) => [value, label])),
    heroKicker: hero.kicker,
    heroTitle: hero.title,
    heroText: hero.text,
    heroClaims: hero.claims.join('\n'),
  }),
  prices: ({ priceClaims, wasPriceDays }) => ({
    priceClaims,
    wasPriceDays: String(wasPriceDays),
  }),
  newsletter: ({ postalAddress, digestEnabled, doubleOptIn }) => ({
    postalAddress,
    digestEnabled: tick(digestEnabled),
    doubleOptIn: tick(doubleOptIn),
  }),
  staff: ({ staffSecondFactor }) => ({ staffSecondFactor: tick(staffSecondFactor) }),
};

import { homeSectionLabels, titledSections, titleField } from './home-sections.ts';
import { presentZone } from './time-zone-names.ts';
import type { SiteSettings } from './site-settings.ts';

/** Settings that one form changes together, and that share a version. */
export const settingsSections = {
  /** Fields of the second setup step. */
  setup: [
    'siteName',
    'currency',
    'timeZone',
    'contactEmail',
    'contactPhone',
    'supportTimes',
    'company',
    'openingYear',
    'affiliateProgrammes',
    'figuresMode',
    'figures',
  ],
  site: [
    'siteName',
    'tagline',
    'contactEmail',
    'contactPhone',
    'supportTimes',
    'replyHours',
    'imprint',
    'company',
    'openingYear',
    'affiliateProgrammes',
    'currency',
    'timeZone',
  ],
  words: ['figuresMode', 'figures', 'hero'],
  home: ['homeTitles', 'homeBlock'],
  prices: ['priceClaims', 'wasPriceDays', 'alertUndoMinutes'],
  newsletter: [
    'postalAddress',
    'digestEnabled',
    'hotDealsEnabled',
    'doubleOptIn',
    'newsletterPerHour',
  ],
  discovery: ['indexNow', 'indexNowEndpoint', 'webSubHub', 'hideExpiredDeals'],
  staff: ['staffSecondFactor'],
  brand: ['logoUrl', 'logoDarkUrl', 'iconUrl', 'accent', 'font'],
} as const satisfies Record<string, readonly (keyof SiteSettings)[]>;

export type SettingsSection = keyof typeof settingsSections;

const facts = {
  contactEmail: 'Contact email',
  contactPhone: 'Contact phone',
  supportTimes: 'Support hours',
  company: 'Company',
  openingYear: 'Opening year',
  affiliateProgrammes: 'Affiliate programs',
};
const figureLabels = { figuresMode: 'Figures', figures: 'Your own figures' };

/** The labels of the fields, in the order of the forms. */
export const settingsLabels: Record<SettingsSection, Record<string, string>> = {
  setup: {
    siteName: 'Site name',
    currency: 'Currency',
    timeZone: 'Time zone',
    ...facts,
    ...figureLabels,
  },
  site: {
    siteName: 'Site name',
    tagline: 'Tagline',
    ...facts,
    replyHours: 'Messages are answered within (hours)',
    imprint: 'Imprint',
    currency: 'Currency',
    timeZone: 'Time zone',
  },
  words: {
    ...figureLabels,
    heroKicker: 'Line above the title',
    heroTitle: 'Title',
    heroText: 'Text',
    heroClaims: 'Claims',
  },
  home: {
    ...Object.fromEntries(
      titledSections.map((name) => [titleField(name), `Title of “${homeSectionLabels[name]}”`]),
    ),
    content: 'Text',
    pictureUrl: 'Picture',
    pictureAlt: 'Description of the picture',
  },
  prices: {
    priceClaims: 'Price claims',
    wasPriceDays: 'Minimum duration of a “was” price (days)',
    alertUndoMinutes: 'Delay of alert emails after a manual price change (minutes)',
  },
  newsletter: {
    postalAddress: 'Postal address',
    digestEnabled: 'Weekly digest',
    hotDealsEnabled: 'Hot deals',
    doubleOptIn: 'Confirm new subscriptions by email',
    newsletterPerHour: 'Newsletter emails per hour',
  },
  discovery: {
    indexNow: 'Notify search engines (IndexNow)',
    indexNowEndpoint: 'IndexNow address',
    webSubHub: 'WebSub hub',
    hideExpiredDeals: 'Hide expired deals from search engines',
  },
  staff: { staffSecondFactor: 'Require two-factor for staff' },
  brand: {
    logoUrl: 'Logo',
    logoDarkUrl: 'Logo on dark pages',
    iconUrl: 'Icon',
    accent: 'Accent color',
    font: 'Font',
  },
};

/** Returns the form values of a section's settings as text. */
export function settingsTexts(section: SettingsSection, settings: SiteSettings) {
  return texts[section](settings);
}

const tick = (isOn: boolean) => (isOn ? 'on' : '');
const pairs = (list: readonly (readonly [string, string])[]) =>
  list.map(([first, second]) => `${first} | ${second}`).join('\n');

const moneyAndTime = ({ currency, timeZone }: SiteSettings) => ({
  currency,
  timeZone: presentZone(timeZone),
});
const factTexts = (settings: SiteSettings) => ({
  contactEmail: settings.contactEmail,
  contactPhone: settings.contactPhone,
  supportTimes: pairs(settings.supportTimes.map(({ days, hours }) => [days, hours])),
  company: settings.company,
  openingYear: String(settings.openingYear ?? ''),
  affiliateProgrammes: settings.affiliateProgrammes.join('\n'),
});
const figureTexts = ({ figuresMode, figures }: Pick<SiteSettings, 'figuresMode' | 'figures'>) => ({
  figuresMode,
  figures: pairs(figures.map(({ value, label }) => [value, label])),
});

const texts: Record<SettingsSection, (settings: SiteSettings) => Record<string, string>> = {
  setup: (settings) => ({
    siteName: settings.siteName,
    ...moneyAndTime(settings),
    ...factTexts(settings),
    ...figureTexts(settings),
  }),
  site: (settings) => ({
    siteName: settings.siteName,
    tagline: settings.tagline,
    ...factTexts(settings),
    replyHours: String(settings.replyHours ?? ''),
    imprint: settings.imprint,
    ...moneyAndTime(settings),
  }),
  words: ({ hero, ...settings }) => ({
    ...figureTexts(settings),
    heroKicker: hero.kicker,
    heroTitle: hero.title,
    heroText: hero.text,
    heroClaims: hero.claims.join('\n'),
  }),
  home: ({ homeTitles, homeBlock }) => ({
    ...Object.fromEntries(titledSections.map((name) => [titleField(name), homeTitles[name] ?? ''])),
    ...homeBlock,
  }),
  prices: ({ priceClaims, wasPriceDays, alertUndoMinutes }) => ({
    priceClaims,
    wasPriceDays: String(wasPriceDays),
    alertUndoMinutes: String(alertUndoMinutes),
  }),
  newsletter: ({
    postalAddress,
    digestEnabled,
    hotDealsEnabled,
    doubleOptIn,
    newsletterPerHour,
  }) => ({
    postalAddress,
    digestEnabled: tick(digestEnabled),
    hotDealsEnabled: tick(hotDealsEnabled),
    doubleOptIn: tick(doubleOptIn),
    newsletterPerHour: String(newsletterPerHour),
  }),
  discovery: ({ indexNow, indexNowEndpoint, webSubHub, hideExpiredDeals }) => ({
    indexNow: tick(indexNow),
    indexNowEndpoint,
    webSubHub,
    hideExpiredDeals: tick(hideExpiredDeals),
  }),
  staff: ({ staffSecondFactor }) => ({ staffSecondFactor: tick(staffSecondFactor) }),
  brand: ({ logoUrl, logoDarkUrl, iconUrl, accent, font }) => ({
    logoUrl,
    logoDarkUrl,
    iconUrl,
    accent,
    font,
  }),
};

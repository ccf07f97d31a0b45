import { z } from 'zod';
import { siteFontNames } from './brand/site-fonts.ts';
import { homeBlockSchema, homeSectionsSchema, homeTitlesSchema } from './home-sections.ts';
import { isTimeZone } from './is-time-zone.ts';
import { defaultMaintenance, maintenanceInput } from './maintenance.ts';
import { menusSchema } from './menus.ts';

const text = (longest: number) => z.string().trim().min(1).max(longest);

const storedPicture = z.string().regex(/^(?:|\/media\/[\w-]+\/[\w.-]+)$/);

/** The possible bases of discounts. */
export const priceClaims = ['checked', 'claimed', 'observed'] as const;
export type PriceClaims = (typeof priceClaims)[number];

/** The possible statistics on Home and About. */
export const figuresModes = ['measured', 'document', 'own', 'none'] as const;

/** The site's settings as stored. */
export const settingsSchema = z.object({
  siteName: text(60),
  tagline: text(160),
  /** A picture on this site, `/media/…`, in place of the name. Empty for none. */
  logoUrl: storedPicture,
  /** The logo on dark pages. Empty if the logo is the same. */
  logoDarkUrl: storedPicture,
  /** A square PNG of 512 pixels, from which all icons are drawn. Empty for the default. */
  iconUrl: z.string().regex(/^(?:|\/media\/site\/icon-[\da-f]{12}\.png)$/),
  /** The color of links and buttons, from which both themes are derived. Empty for the default. */
  accent: z.string().regex(/^(?:|#[\da-f]{6})$/),
  /** The font of pages. Empty for the default. */
  font: z.enum(siteFontNames),
  currency: z.string().regex(/^[A-Z]{3}$/),
  /**
   * The currency that replaces `currency` once all live deals are hidden. Empty if no change is in
   * progress.
   */
  nextCurrency: z.string().regex(/^(?:|[A-Z]{3})$/),
  /**
   * Earlier currencies with the time of their change, stored until every owner of a paused alert
   * has been emailed.
   */
  pausedCurrencies: z.array(z.object({ currency: z.string(), at: z.number().int() })),
  timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone, e.g. Europe/Berlin'),
  priceClaims: z.enum(priceClaims),
  /**
   * The number of days out of the last 90 on which our log must contain a price to accept it as a
   * reference price.
   */
  wasPriceDays: z.number().int().min(0).max(90),
  /**
   * Minutes by which alert emails for a typed price are delayed, so that the price can be undone.
   */
  alertUndoMinutes: z.number().int().min(0).max(60),
  figuresMode: z.enum(figuresModes),
  /** The statistics that the owner entered. */
  figures: z.array(z.object({ label: text(40), value: text(20) })).max(6),
  /**
   * The text of the hero. If the line above the title or the claims are empty, the page shows the
   * chosen statistics.
   */
  hero: z.object({
    kicker: z.string().trim().max(60),
    title: text(120),
    text: text(300),
    claims: z.array(text(80)).max(5),
  }),
  // Facts that only the owner knows. Pages, emails and the footer omit those that are empty or
  // null.
  contactEmail: z.union([z.literal(''), z.email().max(254)]),
  contactPhone: z.string().trim().max(40),
  supportTimes: z.array(z.object({ days: text(40), hours: text(40) })).max(7),
  /** Hours within which messages are answered. */
  replyHours: z.number().int().min(1).max(720).nullable(),
  company: z.string().trim().max(100),
  openingYear: z.number().int().min(1990).max(9999).nullable(),
  /** Affiliate programs, named as their rules require. */
  affiliateProgrammes: z.array(text(80)).max(10),
  /** The owner's postal address in every email. Without it no newsletter is sent. */
  postalAddress: z.string().trim().max(300),
  /** The names of those responsible for the site, as laws require. */
  imprint: z.string().trim().max(2_000),
  /** The owner's menus of header and footer. */
  menus: menusSchema,
  /** The order of the home page's sections and which are shown. Empty for the default. */
  homeSections: homeSectionsSchema,
  /** The owner's titles in place of the default ones. */
  homeTitles: homeTitlesSchema,
  homeBlock: homeBlockSchema,
  digestEnabled: z.boolean(),
  hotDealsEnabled: z.boolean(),
  /** Newsletter emails per hour, for mail servers with a limit. */
  newsletterPerHour: z.number().int().min(10).max(360_000),
  doubleOptIn: z.boolean(),
  /** The mail server, used unless the environment names one. */
  mailServer: z
    .object({
      host: z.string(),
      port: z.number().int(),
      user: z.string(),
      /** The sender's address. Empty for the default. */
      from: z.string(),
      /** The sealed password in base64. Empty if there is none. */
      password: z.string(),
    })
    .nullable(),
  /** Whether search engines are notified of changes by IndexNow. */
  indexNow: z.boolean(),
  /** The address that receives notifications for all search engines that support IndexNow. */
  indexNowEndpoint: z.url(),
  /** The WebSub hub that is notified of changed feeds. Empty if there is none. */
  webSubHub: z.union([z.literal(''), z.url()]),
  /** Whether search engines are asked not to list expired deals. */
  hideExpiredDeals: z.boolean(),
  /** Whether the admin requires two-factor. */
  staffSecondFactor: z.boolean(),
  maintenance: maintenanceInput,
  /** Whether the owner hid the dashboard's setup checklist. */
  checklistDismissed: z.boolean(),
});

export type SiteSettings = z.output<typeof settingsSchema>;
export type SupportTime = SiteSettings['supportTimes'][number];
export type HeroWords = SiteSettings['hero'];

/** Settings of a new site. The demo shop has its own facts (`database/seed/demo-settings.ts`). */
export const defaultSettings: SiteSettings = {
  siteName: 'Deal Hub',
  tagline: 'Deals that show their price history.',
  logoUrl: '',
  logoDarkUrl: '',
  iconUrl: '',
  accent: '',
  font: '',
  currency: 'USD',
  nextCurrency: '',
  pausedCurrencies: [],
  timeZone: 'UTC',
  priceClaims: 'checked',
  wasPriceDays: 14,
  alertUndoMinutes: 5,
  figuresMode: 'measured',
  figures: [],
  hero: {
    kicker: '',
    title: 'Deals that show their price history',
    text: 'We log every price we see, so each deal shows whether today is a good day to buy.',
    claims: [],
  },
  contactEmail: '',
  contactPhone: '',
  supportTimes: [],
  replyHours: null,
  company: '',
  openingYear: null,
  affiliateProgrammes: [],
  postalAddress: '',
  imprint: '',
  menus: {},
  homeSections: [],
  homeTitles: {},
  homeBlock: { content: '', pictureUrl: '', pictureAlt: '' },
  digestEnabled: true,
  hotDealsEnabled: false,
  newsletterPerHour: 3_600,
  doubleOptIn: false,
  mailServer: null,
  indexNow: false,
  indexNowEndpoint: 'https://api.indexnow.org/indexnow',
  webSubHub: '',
  hideExpiredDeals: false,
  staffSecondFactor: false,
  maintenance: defaultMaintenance,
  checklistDismissed: false,
};

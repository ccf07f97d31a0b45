import { z } from 'zod';
import { isTimeZone } from './is-time-zone.ts';
import { defaultMaintenance, maintenanceInput } from './maintenance.ts';

const text = (longest: number) => z.string().trim().min(1).max(longest);

/** What discounts are computed from (P7a, decision 084). */
export const priceClaims = ['checked', 'claimed', 'observed'] as const;
export type PriceClaims = (typeof priceClaims)[number];

/** What Home and About say in figures (P30). */
export const figuresModes = ['measured', 'document', 'own', 'none'] as const;

/** The site's settings as they are stored. */
export const settingsSchema = z.object({
  siteName: text(60),
  tagline: text(160),
  /** A picture of our own, `/media/…`, in place of the name's mark; empty for none. */
  logoUrl: z.string().regex(/^(?:|\/media\/[\w-]+\/[\w.-]+)$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  /** What the currency becomes once all live deals are hidden; empty: no change is under way. */
  nextCurrency: z.string().regex(/^(?:|[A-Z]{3})$/),
  /** Currencies that the site has left, and when, as long as not every owner of a paused alert has a mail about it. */
  pausedCurrencies: z.array(z.object({ currency: z.string(), at: z.number().int() })),
  timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone, e.g. Europe/Berlin'),
  priceClaims: z.enum(priceClaims),
  /** On how many of the last 90 days a price that our log saw must have been asked to be called an earlier one. */
  wasPriceDays: z.number().int().min(0).max(90),
  /** Minutes that mails of alerts wait for an undo where staff typed the price. */
  alertUndoMinutes: z.number().int().min(0).max(60),
  figuresMode: z.enum(figuresModes),
  /** The owner's own. */
  figures: z.array(z.object({ label: text(40), value: text(20) })).max(6),
  /** Without a line above the title, or without claims, what the choice of figures gives is shown (P30). */
  hero: z.object({
    kicker: z.string().trim().max(60),
    title: text(120),
    text: text(300),
    claims: z.array(text(80)).max(5),
  }),
  // Facts that only the owner knows: empty or null until told, and then no page, mail or footer speaks of them.
  contactEmail: z.union([z.literal(''), z.email().max(254)]),
  contactPhone: z.string().trim().max(40),
  supportTimes: z.array(z.object({ days: text(40), hours: text(40) })).max(7),
  /** Within how many hours messages are answered. */
  replyHours: z.number().int().min(1).max(720).nullable(),
  company: z.string().trim().max(100),
  openingYear: z.number().int().min(1990).max(9999).nullable(),
  /** As their rules want them named. */
  affiliateProgrammes: z.array(text(80)).max(10),
  /** Where the owner can be reached by post; stands in every mail, and no bulk mail leaves before it is set (P28). */
  postalAddress: z.string().trim().max(300),
  digestEnabled: z.boolean(),
  /** How many mails of a newsletter leave in an hour, for the sake of mail servers that take no more. */
  newsletterPerHour: z.number().int().min(10).max(360_000),
  doubleOptIn: z.boolean(),
  /** Whether the back office opens only to staff with a second step (R50). */
  staffSecondFactor: z.boolean(),
  maintenance: maintenanceInput,
  /** The owner put away what the dashboard says is left to set up. */
  checklistDismissed: z.boolean(),
});

export type SiteSettings = z.output<typeof settingsSchema>;
export type SupportTime = SiteSettings['supportTimes'][number];
export type HeroWords = SiteSettings['hero'];

/** What a new site begins with. The demo shop has facts of its own (`database/seed/demo-settings.ts`). */
export const defaultSettings: SiteSettings = {
  siteName: 'Deal Hub',
  tagline: 'Deals that show their price history.',
  logoUrl: '',
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
    text: 'Every price we see is logged. So each deal tells you whether today is really a good day to buy.',
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
  digestEnabled: true,
  newsletterPerHour: 3_600,
  doubleOptIn: false,
  staffSecondFactor: false,
  maintenance: defaultMaintenance,
  checklistDismissed: false,
};

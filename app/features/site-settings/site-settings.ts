import { z } from 'zod';
import { isTimeZone } from './is-time-zone.ts';
import { defaultMaintenance, maintenanceInput } from './maintenance.ts';

const text = (longest: number) => z.string().trim().min(1).max(longest);
const figures = z.array(z.object({ label: text(40), value: text(20) })).max(6);

/** The site's settings as they are stored. */
export const settingsSchema = z.object({
  siteName: text(60),
  tagline: text(160),
  /** A picture of our own, `/media/…`, in place of the name's mark; empty for none. */
  logoUrl: z.string().regex(/^(?:|\/media\/[\w-]+\/[\w.-]+)$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone, e.g. Europe/Berlin'),
  priceClaims: z.enum(['claimed', 'observed']),
  /** On how many of the last 90 days a price that our log saw must have been asked to be called an earlier one. */
  wasPriceDays: z.number().int().min(0).max(90),
  figuresMode: z.enum(['words', 'measured']),
  figures,
  /** The figures of the About page; the mode above rules them too. */
  aboutFigures: figures,
  hero: z.object({
    kicker: text(60),
    title: text(120),
    text: text(300),
    claims: z.array(text(80)).max(5),
  }),
  contactEmail: z.email().max(254),
  contactPhone: text(40),
  supportTimes: z.array(z.object({ days: text(40), hours: text(40) })).max(7),
  /** Within how many hours messages are answered. */
  replyHours: z.number().int().min(1).max(720),
  /** Where the owner can be reached by post; stands in every mail, and no bulk mail leaves before it is set (P28). */
  postalAddress: z.string().trim().max(300),
  digestEnabled: z.boolean(),
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

/** The words of the specification are the defaults (P30). */
export const defaultSettings: SiteSettings = {
  siteName: 'Deal Hub',
  tagline: 'Deals that show their price history.',
  logoUrl: '',
  currency: 'USD',
  timeZone: 'UTC',
  priceClaims: 'claimed',
  wasPriceDays: 14,
  figuresMode: 'words',
  figures: [
    { label: 'active deals', value: '10,000+' },
    { label: 'users', value: '50,000+' },
    { label: 'brands', value: '500+' },
    { label: 'saved', value: '$2M+' },
  ],
  aboutFigures: [
    { label: 'users', value: '10K+' },
    { label: 'saved', value: '$2M+' },
    { label: 'merchants', value: '500+' },
    { label: 'deals', value: '50K+' },
  ],
  hero: {
    kicker: 'Save up to 80%',
    title: 'Deals that show their price history',
    text: 'Every price we see is logged. So each deal tells you whether today is really a good day to buy.',
    claims: ['Fresh deals added daily', '60% off and more on selected deals', 'Free to use'],
  },
  contactEmail: 'support@dealhub.example',
  contactPhone: '+1 (555) 123-4567',
  supportTimes: [
    { days: 'Monday to Friday', hours: '9AM–6PM EST' },
    { days: 'Saturday', hours: '10AM–4PM EST' },
    { days: 'Sunday', hours: 'Closed' },
  ],
  replyHours: 24,
  postalAddress: '',
  digestEnabled: true,
  doubleOptIn: false,
  staffSecondFactor: false,
  maintenance: defaultMaintenance,
  checklistDismissed: false,
};

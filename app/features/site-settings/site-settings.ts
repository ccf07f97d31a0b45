import { defaultMaintenance, type MaintenanceSettings } from './maintenance.ts';

/** The site's settings with their types and defaults. The words of the specification are the defaults (P30). */

export type PriceClaims = 'claimed' | 'observed';

export interface MarketingFigure {
  label: string;
  value: string;
}

export interface SupportTime {
  days: string;
  hours: string;
}

export interface HeroWords {
  kicker: string;
  title: string;
  text: string;
  claims: string[];
}

export interface SiteSettings {
  siteName: string;
  tagline: string;
  /** A picture of our own, `/media/…`, in place of the name's mark; empty for none. */
  logoUrl: string;
  currency: string;
  timeZone: string;
  priceClaims: PriceClaims;
  figuresMode: 'words' | 'measured';
  figures: MarketingFigure[];
  /** The figures of the About page; the mode above rules them too. */
  aboutFigures: MarketingFigure[];
  hero: HeroWords;
  contactEmail: string;
  contactPhone: string;
  supportTimes: SupportTime[];
  /** Within how many hours messages are answered. */
  replyHours: number;
  /** Where the owner can be reached by post; stands in every mail, and no bulk mail leaves before it is set (P28). */
  postalAddress: string;
  digestEnabled: boolean;
  doubleOptIn: boolean;
  /** Whether the back office opens only to staff with a second step (R50). */
  staffSecondFactor: boolean;
  maintenance: MaintenanceSettings;
  /** The owner put away what the dashboard says is left to set up. */
  checklistDismissed: boolean;
}

export const defaultSettings: SiteSettings = {
  siteName: 'Deal Hub',
  tagline: 'Deals that show their price history.',
  logoUrl: '',
  currency: 'USD',
  timeZone: 'UTC',
  priceClaims: 'claimed',
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

/** The site's settings with their types and defaults. The words of the specification are the defaults (decision 30). */

export type PriceClaims = 'claimed' | 'observed';

export interface MarketingFigure {
  label: string;
  value: string;
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
  currency: string;
  timeZone: string;
  priceClaims: PriceClaims;
  figuresMode: 'words' | 'measured';
  figures: MarketingFigure[];
  hero: HeroWords;
  contactEmail: string;
  contactPhone: string;
  /** Where the owner can be reached by post; stands in every mail, and no bulk mail leaves before it is set (decision 28). */
  postalAddress: string;
  digestEnabled: boolean;
  doubleOptIn: boolean;
}

export const defaultSettings: SiteSettings = {
  siteName: 'Deal Hub',
  tagline: 'Deals that show their price history.',
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
  hero: {
    kicker: 'Save up to 80%',
    title: 'Deals that show their price history',
    text: 'Every price we see is logged. So each deal tells you whether today is really a good day to buy.',
    claims: ['Fresh deals added daily', '60% off and more on selected deals', 'Free to use'],
  },
  contactEmail: 'support@dealhub.example',
  contactPhone: '+1 (555) 123-4567',
  postalAddress: '',
  digestEnabled: true,
  doubleOptIn: false,
};

import { z } from 'zod';
import { orNull, text, tick, url } from '#app/platform/input-fields.ts';
import { siteFontNames } from './brand/site-fonts.ts';
import { isCurrency } from './settings-choices.ts';
import { longestHomeBlock, longestHomeTitle, titledSections, titleField } from './home-sections.ts';
import { presentZone } from './time-zone-names.ts';
import { isTimeZone } from './is-time-zone.ts';
import type { SettingsSection } from './settings-sections.ts';
import {
  defaultSettings,
  figuresModes,
  priceClaims,
  settingsSchema,
  type SiteSettings,
} from './site-settings.ts';

const required = (longest: number) =>
  text(longest).pipe(z.string().min(1, 'This field is required'));

const lines = (value: string) =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Parses lines, each with two texts separated by a vertical bar. */
function pairs(most: number, longest: readonly [number, number]) {
  return z.string().transform((value, context): (readonly [string, string])[] => {
    const found = lines(value).map((line) => line.split('|').map((part) => part.trim()));
    const isGood = ([first = '', second = '', ...more]: string[]) =>
      more.length === 0 &&
      first !== '' &&
      second !== '' &&
      first.length <= longest[0] &&
      second.length <= longest[1];
    if (found.length > most || !found.every(isGood)) {
      const message = `At most ${most} lines, each of two texts with | between them, at most ${longest[0]} and ${longest[1]} characters long`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
    return found.map(([first = '', second = '']) => [first, second] as const);
  });
}

const figures = {
  figuresMode: z.enum(figuresModes, 'Choose one of the options'),
  figures: pairs(6, [20, 40]).transform((list) => list.map(([value, label]) => ({ value, label }))),
};

const year = 'A year from 1990 to this year';
const facts = {
  contactEmail: z
    .string()
    .trim()
    .max(254)
    .refine(
      (typed) => typed === '' || z.email().safeParse(typed).success,
      'Please enter a valid email address',
    ),
  contactPhone: text(40),
  supportTimes: pairs(7, [40, 40]).transform((list) =>
    list.map(([days, hours]) => ({ days, hours })),
  ),
  company: text(100),
  openingYear: orNull(
    z.coerce
      .number(year)
      .int(year)
      .min(1990, year)
      .refine((typed) => typed <= new Date().getFullYear(), year),
  ),
  affiliateProgrammes: z
    .string()
    .transform(lines)
    .pipe(z.array(z.string().max(80, 'Each at most 80 characters')).max(10, 'At most ten lines')),
};

const site = z.object({
  siteName: required(60),
  tagline: required(160),
  ...facts,
  imprint: text(2_000).prefault(''),
  replyHours: orNull(
    z.coerce
      .number('A whole number of hours')
      .int('A whole number of hours')
      .min(1, 'At least 1')
      .max(720, 'At most 720'),
  ),
  currency: z
    .string()
    .transform((code) => code.trim().toUpperCase())
    .refine(isCurrency, 'The three letters of a currency, such as USD'),
  timeZone: z
    .string()
    .trim()
    .refine(isTimeZone, 'The name of a time zone, such as Europe/Berlin')
    .transform(presentZone),
});

/** Parses each section's form into its settings. */
export const settingsInput: {
  [Section in SettingsSection]: z.ZodType<Partial<SiteSettings>>;
} = {
  setup: site.omit({ tagline: true, replyHours: true, imprint: true }).extend(figures),
  site,
  words: z
    .object({
      ...figures,
      heroKicker: text(60),
      heroTitle: required(120),
      heroText: required(300),
      heroClaims: z
        .string()
        .transform(lines)
        .pipe(
          z.array(z.string().max(80, 'Each at most 80 characters')).max(5, 'At most five lines'),
        ),
    })
    .transform(({ heroKicker, heroTitle, heroText, heroClaims, ...rest }) => ({
      ...rest,
      hero: { kicker: heroKicker, title: heroTitle, text: heroText, claims: heroClaims },
    })),
  home: z
    .object({
      ...Object.fromEntries(
        titledSections.map((name) => [titleField(name), text(longestHomeTitle)]),
      ),
      content: text(longestHomeBlock),
      pictureUrl: z
        .string()
        .trim()
        .regex(/^(?:|\/media\/library\/[\w-]+\.\w+)$/, 'Choose a picture from the media library'),
      pictureAlt: text(200),
    })
    .transform(({ content, pictureUrl, pictureAlt, ...typed }) => {
      const titles: Record<string, string> = typed;
      const own = titledSections.map((name) => [name, titles[titleField(name)] ?? ''] as const);
      return {
        homeTitles: Object.fromEntries(own.filter(([, title]) => title !== '')),
        homeBlock: { content, pictureUrl, pictureAlt },
      };
    }),
  prices: z.object({
    priceClaims: z.enum(priceClaims, 'Choose one of the options'),
    wasPriceDays: z
      .string()
      .trim()
      .regex(/^\d{1,3}$/, 'A whole number of days')
      .transform(Number)
      .pipe(z.number().max(90, 'At most 90')),
    alertUndoMinutes: z
      .string()
      .trim()
      .regex(/^\d{1,3}$/, 'A whole number of minutes')
      .transform(Number)
      .pipe(z.number().max(60, 'At most 60')),
  }),
  brand: settingsSchema.pick({ logoUrl: true, logoDarkUrl: true, iconUrl: true }).extend({
    accent: z
      .string()
      .transform((typed) => typed.trim().toLowerCase())
      .pipe(z.string().regex(/^(?:|#[\da-f]{6})$/, 'Six digits after #, such as #0b6650')),
    font: z.enum(siteFontNames, 'Choose one of the options').prefault(''),
  }),
  newsletter: z.object({
    postalAddress: text(300),
    digestEnabled: tick,
    hotDealsEnabled: tick,
    doubleOptIn: tick,
    newsletterPerHour: z
      .string()
      .transform((typed) => typed.trim() || String(defaultSettings.newsletterPerHour))
      .pipe(z.string().regex(/^\d{1,6}$/, 'A whole number of emails'))
      .transform(Number)
      .pipe(z.number().min(10, 'At least 10').max(360_000, 'At most 360000')),
  }),
  discovery: z.object({
    indexNow: tick,
    indexNowEndpoint: z
      .string()
      .transform((typed) => typed.trim() || defaultSettings.indexNowEndpoint)
      .pipe(url),
    hideExpiredDeals: tick,
    webSubHub: orNull(url).transform((hub) => hub ?? ''),
  }),
  staff: z.object({ staffSecondFactor: tick }),
};

import type { NewsletterContent } from './newsletter-content.ts';

/** The two subjects and preview texts of a test. */
export type Variant = 'a' | 'b';

export interface TestedTexts {
  subject_b: string;
  preview_b: string;
}

/** The possible percentages of the audience for each variant. At 50, no subscribers remain. */
export const testPercents = [10, 25, 50] as const;

/** Returns whether a newsletter tests a second subject or preview text. */
export function isTest({ subject_b: subject, preview_b: preview }: TestedTexts): boolean {
  return subject !== '' || preview !== '';
}

/** Returns whether subscribers remain for the winner. */
export function hasRest({ test_percent: percent }: { test_percent: number }): boolean {
  return percent < 50;
}

/**
 * Returns the second variant, or `null` if there is no test. Its blank texts default to those of
 * the first.
 */
export function readVariantB(
  newsletter: { subject: string; preview: string } & TestedTexts,
): { subject: string; preview: string } | null {
  if (!isTest(newsletter)) return null;
  const { subject, preview, subject_b, preview_b } = newsletter;
  return { subject: subject_b || subject, preview: preview_b || preview };
}

/**
 * Returns the content of one email. Links in test emails are marked, so that their clicks are
 * counted for the variant. Other emails have the winner's texts.
 */
export function inVariant(
  { variantB, ...letter }: NewsletterContent,
  { variant, winner }: { variant: Variant | null; winner: Variant | null },
): NewsletterContent {
  const texts = (variant ?? winner) === 'b' ? variantB : undefined;
  if (variant === null || !variantB) return { ...letter, ...texts };
  const body = letter.body.replace(/\/out\/newsletter\/\d+\/\d+(?=")/g, `$&?s=${variant}`);
  return { ...letter, ...texts, body };
}

export interface VariantCounts {
  sent: number;
  clicks: number;
}

/** clicks on both variants together; fewer prove nothing */
const fewestClicks = 20;
/** standard errors; chance alone exceeds 1.96 in one of 20 tests */
const mostErrors = 1.96;

/** Returns the variant with more clicks per email, or the first one if there is no difference. */
export function findLeader(a: VariantCounts, b: VariantCounts): Variant {
  return b.clicks * a.sent > a.clicks * b.sent ? 'b' : 'a';
}

/** Returns whether chance alone could explain the difference in clicks per email. */
export function isWithinChance(a: VariantCounts, b: VariantCounts): boolean {
  if (a.sent === 0 || b.sent === 0 || a.clicks + b.clicks < fewestClicks) return true;
  const difference = a.clicks / a.sent - b.clicks / b.sent;
  const error = Math.sqrt(a.clicks / a.sent ** 2 + b.clicks / b.sent ** 2);
  return Math.abs(difference) <= mostErrors * error;
}

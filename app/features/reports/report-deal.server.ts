import { findProductAddress } from '#app/features/products/product-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';
import { verifyCaptcha } from '#app/platform/captcha/verify-captcha.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { visitorTokens } from '#app/platform/visitor-marks.server.ts';
import { reportMessages } from './report-messages.ts';
import { storeReport, type Reporter } from './report-queries.server.ts';

/** The deal as shown on its page. */
interface ReportedDeal {
  id: number;
  is_expired: boolean;
  coupon_code: string | null;
}

export type ReportResult =
  | { ok: true }
  | { ok: false; reason: 'gone' | 'refused'; message: string }
  | { ok: false; reason: 'captcha'; message: string; question?: CaptchaQuestion }
  | { ok: false; reason: 'too-often'; retryAfterSeconds: number };

const refuse = (message: string): ReportResult => ({ ok: false, reason: 'refused', message });

/**
 * Stores a visitor's report that a deal has expired, whether its code works, or that it is not the
 * product that it is compared with. A user with a verified email counts as one person everywhere.
 * Others must pass the captcha and are distinguished by IP address.
 */
export async function reportDeal(
  services: AppServices,
  deal: ReportedDeal,
  form: FormData,
  from: ReportSender,
): Promise<ReportResult> {
  const said = readReport(form, deal);
  if (typeof said === 'string') return refuse(said);
  if (said.about === 'product' && (await findProductAddress(services.db, deal.id)) === null) {
    return refuse(reportMessages.noOffer);
  }
  const admitted = await admitReporter(services, form, `deal ${deal.id}`, from);
  if (!admitted.ok) return admitted;
  await storeReport(services.db, { dealId: deal.id, ...said }, admitted.reporter);
  return { ok: true };
}

/** The signed-in user, if any, and the IP address of the request. */
export interface ReportSender {
  user: { id: string; emailVerified: boolean } | null;
  address: string;
}

/**
 * Admits a person who reports on `thing`, such as `deal 12`, within the limits. Strangers must pass
 * the captcha.
 */
export async function admitReporter(
  services: AppServices,
  form: FormData,
  thing: string,
  { user, address }: ReportSender,
): Promise<{ ok: true; reporter: Reporter } | (ReportResult & { ok: false })> {
  const byAddress = await limit(services, 'report-address', address);
  if (!byAddress.ok) return { ...byAddress, reason: 'too-often' };
  const userId = user?.emailVerified ? user.id : null;
  if (userId === null) {
    const captcha = await verifyCaptcha(services, form, address);
    if (!captcha.ok) return { ...captcha, reason: 'captcha' };
  }
  for (const [name, key] of [
    ['report-deal', thing],
    ['report-site', ''],
  ] as const) {
    const within = await limit(services, name, key);
    if (!within.ok) return { ...within, reason: 'too-often' };
  }
  return { ok: true, reporter: { userId, ...(await visitorTokens(services, thing, address)) } };
}

/** Parses the form. Returns a message if it is invalid or outdated. */
function readReport(form: FormData, { is_expired, coupon_code }: ReportedDeal) {
  if (is_expired) return reportMessages.overAlready;
  const about = readText(form, 'about');
  if (about === 'over' || about === 'product') return { about } as const;
  if (about !== 'code') return reportMessages.failed;
  // Rejects a report about a code other than the current one.
  if (coupon_code === null || coupon_code !== readText(form, 'code')) {
    return reportMessages.codeChanged;
  }
  const works = readText(form, 'works');
  if (works !== 'yes' && works !== 'no') return reportMessages.notAnswered;
  return { about, works: works === 'yes', code: coupon_code } as const;
}

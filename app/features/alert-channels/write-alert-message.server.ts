import { shortenText } from '#app/platform/cut-text.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { inertText } from '#app/platform/inert-text.ts';
import { stopMailPaths, type StopWish } from '#app/platform/mail/stop-token.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { ChannelKind, ChannelMessage } from '#app/features/channels/channel-kind.server.ts';
import { stillMet } from '#app/features/price-alerts/alert-mails.server.ts';
import {
  type FiredAlert,
  findFiredOfDay,
  findFiredTogether,
  readAlertForTest,
} from '#app/features/price-alerts/fired-alert-queries.server.ts';
import { describeLow, noProof } from '#app/features/prices/price-proof.ts';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import { describeUsual } from '#app/features/prices/usual-price.ts';
import { newsTitle } from '#app/features/watched-searches/news-title.ts';
import { readSearchNews } from '#app/features/watched-searches/read-search-news.server.ts';
import type { AlertMail } from './hand-over-mail.server.ts';

/** The content of a message as plain text. Links are added on separate lines. */
interface Content {
  title: string;
  /** Deals or facts. The last of them are left out if the message is too long. */
  lines: string[];
  /** The page of the deal, the list or the alerts. */
  path: string;
  stop: StopWish;
  stopLabel: string;
}

type Services = Pick<AppServices, 'db' | 'env' | 'now'>;
type WriteContent = (
  services: Services,
  mail: AlertMail,
  currency: string,
) => Promise<Content | null>;

/**
 * Returns an email as a short message for a channel, checked like the email just before it is sent.
 * Returns `null` if the reason no longer exists.
 */
export async function writeAlertMessage(
  services: Services,
  mail: AlertMail,
  { kind, currency, stopChannel }: { kind: ChannelKind; currency: string; stopChannel: string },
): Promise<Pick<ChannelMessage, 'text' | 'title' | 'link'> | null> {
  const content = (await writers[mail.kind]?.(services, mail, currency)) ?? null;
  if (!content) return null;
  const { title, path, stopLabel } = content;
  const { stopPath } = await stopMailPaths(services.db, content.stop);
  const { origin } = services.env;
  const fill = (lines: readonly string[]) =>
    [
      kind.escape(title),
      ...lines.map((line) => kind.escape(line)),
      origin + path,
      `${stopLabel}: ${origin}${stopPath}`,
      `Stop this channel: ${stopChannel}`,
    ].join('\n');
  const lines = [...content.lines];
  while (lines.length > 0 && fill(lines).length > kind.longest) lines.pop();
  return { text: fill(lines), title, link: origin + path };
}

const writers: Readonly<Record<string, WriteContent>> = {
  async 'price-alert'(services, mail, currency) {
    const { db } = services;
    const fired = await findFiredTogether(db, mail.payload.eventId ?? 0);
    // Older versions queued one email per alert, and the first one covers all.
    if (fired[0]?.mailKey !== mail.key) return null;
    const alerts = await stillMet(db, fired, 'send');
    return writeAlerts(services, alerts, currency);
  },
  async 'price-alert-test'(services, { payload }, currency) {
    const alert = await readAlertForTest(services.db, payload.alertId ?? 0);
    const content = alert && (await writeAlerts(services, [alert], currency));
    return content && { ...content, title: `Test: ${content.title}` };
  },
  async 'price-alert-digest'({ db }, { user_id, payload }, currency) {
    const userId = user_id ?? '';
    const fired = await findFiredOfDay(db, { userId }, payload.day ?? '1970-01-01');
    const alerts = await stillMet(db, fired, 'send');
    const deals = [...new Map(alerts.map((alert) => [alert.dealId, alert])).values()];
    if (deals.length === 0) return null;
    return {
      title: `${countNoun(alerts.length, 'more price alert')} fired today`,
      lines: deals.map((deal) => `${titleOf(deal, 100)}: ${priceOf(deal, currency)}`),
      path: '/price-alerts',
      stop: { what: 'alerts', id: userId },
      stopLabel: 'Stop all price alerts',
    };
  },
  async 'search-news'({ db }, { payload }) {
    const { searchId = 0, mail = 0, couponIds } = payload;
    const news = await readSearchNews(db, searchId, mail, couponIds);
    if (!news) return null;
    const { fall } = news;
    return {
      title: inertText(newsTitle(news), 200),
      lines: [
        ...(fall?.former ? [`Before, the lowest price was ${fall.former}.`] : []),
        ...news.deals.map((deal) => `${deal.price}: ${inertText(deal.title, 100)}`),
        ...news.coupons.map(({ code, title }) => `Coupon ${code}: ${inertText(title, 100)}`),
      ],
      path: news.address,
      stop: { what: 'search', id: String(news.id) },
      stopLabel: `Stop watching this ${fall ? 'product' : 'search'}`,
    };
  },
};

/** Writes the alerts of one deal that fired together, with the facts of the email. */
async function writeAlerts(
  { db, now }: Services,
  alerts: readonly FiredAlert[],
  currency: string,
): Promise<Content | null> {
  const [alert] = alerts;
  if (!alert) return null;
  const { dealId, newPrice, slug } = alert;
  const proofs = await findPriceProofs(db, [{ id: dealId, original_price: null }]);
  const proof = proofs.get(dealId) ?? noProof;
  const target = alerts.find(({ kind }) => kind === 'target')?.targetPrice ?? null;
  const isBack = alerts.some(({ kind }) => kind === 'back_in_stock');
  return {
    title: titleOf(alert, 200),
    lines: [
      `${isBack ? 'Back in stock: ' : 'Now '}${priceOf(alert, currency)}.`,
      ...(target === null ? [] : [`Your target was ${formatMoney(target, currency)}.`]),
      proof.usual
        ? describeUsual(proof.usual, newPrice, currency).sentence
        : describeLow(newPrice, proof, now(), currency),
    ],
    path: `/deals/${slug}`,
    stop: { what: 'alert', id: alerts.map(({ alertId }) => alertId).join('-') },
    stopLabel: alerts.length === 1 ? 'Stop this alert' : 'Stop these alerts',
  };
}

const titleOf = ({ title }: FiredAlert, most: number) => inertText(title, most);

function priceOf({ oldPrice, newPrice, merchantName }: FiredAlert, currency: string) {
  const money = (amount: number) => formatMoney(amount, currency);
  const was = oldPrice !== null && oldPrice > newPrice ? `, was ${money(oldPrice)}` : '';
  return `${money(newPrice)}${was} at ${shortenText(merchantName, 60)}`;
}

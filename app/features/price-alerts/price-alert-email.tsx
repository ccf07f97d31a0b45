import { describeLow, type PriceProof } from '#app/features/prices/price-proof.ts';
import { describeUsual } from '#app/features/prices/usual-price.ts';
import type { OtherStores } from '#app/features/products/find-other-stores.server.ts';
import { writeAlsoAt } from '#app/features/products/offer-words.ts';
import { MailLayout, MailLink, MailNote, MailText } from '#app/platform/mail/mail-frame.tsx';
import { MailPicture, MailPrice, MailPriceLine, MailProof } from '#app/platform/mail/mail-deal.tsx';
import type { InMail, MailSite } from '#app/platform/mail/mail-kind.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { type AlertRule, describeWish } from './alert-kind.ts';
import type { FiredAlert } from './fired-alert-queries.server.ts';

interface Props extends FiredAlert, Pick<PriceProof, 'lowest90' | 'watchedSince' | 'usual'> {
  /** Every alert that fired. */
  rules: readonly AlertRule[];
  stopPath: string;
  /** The path of the page with all of the recipient's alerts. */
  listPath: string;
  /** Whether the user requested the email as a sample. */
  isTest: boolean;
  now: Date;
  otherStores?: OtherStores | undefined;
  /** The paths of pictures. Absent in emails without them. */
  picture?: string | null;
  line?: string | null;
}

const isBack = (rules: readonly AlertRule[]) => rules.some(({ kind }) => kind === 'back_in_stock');

export function subject({ title, newPrice, rules, isTest }: Props, site: MailSite): string {
  const price = formatMoney(newPrice, site.currency);
  const news = isBack(rules) ? `Back in stock at ${price}` : `Now ${price}`;
  return `${isTest ? 'Test: ' : ''}${news}: ${title}`;
}

/** Returns a sentence about which alerts have ended. A link to all alerts follows. */
function nextOf(rules: readonly AlertRule[]): string {
  const isOne = rules.length === 1;
  const staying = rules.filter(({ repeats }) => repeats).length;
  if (staying === 0) {
    return isOne
      ? 'The alert has now ended; you can re-arm it under'
      : 'They have now ended; you can re-arm them under';
  }
  const comesAgain = 'once the price has risen above this one; you can change that under';
  if (isOne) return `It stays active, and fires again ${comesAgain}`;
  return staying === rules.length
    ? `They stay active, and fire again ${comesAgain}`
    : `Those set to “each time” stay active, and fire again ${comesAgain}`;
}

export default function PriceAlertEmail(alert: InMail<Props>) {
  const { site, title, slug, merchantName, newPrice, rules, isTest, usual } = alert;
  const target = rules.find(({ kind }) => kind === 'target')?.target_price ?? null;
  const isOne = rules.length === 1;
  const money = (amount: number) => formatMoney(amount, site.currency);
  return (
    <MailLayout
      site={site}
      preview={`${money(newPrice)} at ${merchantName}`}
      title={isBack(rules) ? `Back in stock: ${title}` : title}
      button={{ path: `/deals/${slug}?from=mail`, label: 'See the deal' }}
      reason={
        isTest ? (
          'You are receiving this email because you asked for a test of your price alert. The alert stays active.'
        ) : (
          <>
            You are receiving this email because you set{' '}
            {isOne ? 'a price alert' : `${rules.length} price alerts`} for this deal.{' '}
            {nextOf(rules)}{' '}
            <MailLink site={site} path={alert.listPath}>
              your price alerts
            </MailLink>
            .
          </>
        )
      }
      unsubscribe={{ path: alert.stopPath, label: isOne ? 'Stop this alert' : 'Stop these alerts' }}
    >
      <Offer {...alert} money={money} />
      {isOne ? null : (
        <MailText>
          {`You asked to be notified when ${rules.map((rule) => describeWish(rule, money)).join('; ')}.`}
        </MailText>
      )}
      <MailProof>
        {usual
          ? describeUsual(usual, newPrice, site.currency).sentence
          : describeLow(newPrice, alert, alert.now, site.currency)}
        {target === null || !isOne || alert.line ? '' : ` Your target was ${money(target)}.`}
      </MailProof>
      {alert.line ? (
        <MailPriceLine
          src={site.origin + alert.line}
          alt={`Price history of this deal, now ${money(newPrice)}`}
          width={520}
          height={120}
        />
      ) : null}
      {alert.line && target !== null ? (
        <MailNote>
          {isOne ? `Your target was ${money(target)}. ` : null}
          <span data-skip-in-text>The dashed line is your target.</span>
        </MailNote>
      ) : null}
      <MailNote>
        The price was correct when this email was sent. Prices can change at any time.
      </MailNote>
    </MailLayout>
  );
}

/** Renders the product's picture next to its price. */
function Offer(alert: InMail<Props> & { money(amount: number): string }) {
  const { site, title, slug, merchantName, oldPrice, newPrice, picture, money } = alert;
  const { otherStores } = alert;
  return (
    <table width="100%" cellPadding="0" cellSpacing="0" role="presentation">
      <tbody>
        <tr>
          {picture ? (
            <MailPicture
              src={site.origin + picture}
              href={`${site.origin}/deals/${slug}?from=mail`}
              title={title}
              padding="0 0 16px"
            />
          ) : null}
          <td valign="top">
            <MailPrice
              now={money(newPrice)}
              was={oldPrice !== null && oldPrice > newPrice ? money(oldPrice) : null}
            />
            <MailText>at {merchantName}</MailText>
            {otherStores ? (
              <MailText>
                <MailLink site={site} path={`/products/${otherStores.slug}`}>
                  {writeAlsoAt(otherStores, site.currency)}
                </MailLink>
              </MailText>
            ) : null}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

import type { OtherStores } from '#app/features/products/find-other-stores.server.ts';
import { writeAlsoAt } from '#app/features/products/offer-words.ts';
import { MailDeal } from '#app/platform/mail/mail-deal.tsx';
import { MailLayout } from '#app/platform/mail/mail-frame.tsx';
import type { InMail, MailSite } from '#app/platform/mail/mail-kind.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import type { MailDealPictures } from '#app/features/prices/mail-deal-pictures.server.ts';
import type { FiredAlert } from './fired-alert-queries.server.ts';

interface Props {
  alerts: (FiredAlert & Partial<MailDealPictures> & { otherStores?: OtherStores | undefined })[];
  stopPath: string;
  listPath: string;
}

export function subject({ alerts }: Props, site: MailSite): string {
  return `${alerts.length} more price alert${alerts.length === 1 ? '' : 's'} at ${site.name}`;
}

export default function PriceAlertDigestEmail({ alerts, stopPath, listPath, site }: InMail<Props>) {
  return (
    <MailLayout
      site={site}
      preview={alerts.map((alert) => alert.title).join(', ')}
      title="More of your price alerts"
      button={{ path: listPath, label: 'See your price alerts' }}
      reason="You are receiving this email because many of your price alerts fired on one day. After ten emails, we combine the rest."
      unsubscribe={{ path: stopPath, label: 'Stop all my price alerts' }}
    >
      {dealsOf(alerts).map(({ eventId, title, slug, merchantName, oldPrice, newPrice, ...of }) => (
        <MailDeal
          key={eventId}
          site={site}
          title={title}
          path={`/deals/${slug}?from=mail`}
          now={formatMoney(newPrice, site.currency)}
          was={
            oldPrice !== null && oldPrice > newPrice ? formatMoney(oldPrice, site.currency) : null
          }
          notes={[
            `at ${merchantName}`,
            ...(of.otherStores ? [writeAlsoAt(of.otherStores, site.currency)] : []),
          ]}
          picture={of.picture}
          line={of.line}
        />
      ))}
    </MailLayout>
  );
}

/** Merges several alerts of a deal into one line. */
function dealsOf(alerts: Props['alerts']): Props['alerts'] {
  return [...new Map(alerts.map((alert) => [alert.dealId, alert])).values()];
}

import { MailDeal } from '#app/platform/mail/mail-deal.tsx';
import { MailLayout } from '#app/platform/mail/mail-frame.tsx';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import type { FiredAlert } from './fired-alert-queries.server.ts';

export interface AlertDigestProps {
  alerts: FiredAlert[];
  stopPath: string;
}

export function subject({ alerts }: AlertDigestProps, site: MailSite): string {
  return `${alerts.length} more price alert${alerts.length === 1 ? '' : 's'} at ${site.name}`;
}

export default function PriceAlertDigestEmail({
  alerts,
  stopPath,
  site,
}: AlertDigestProps & { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview={alerts.map((alert) => alert.title).join(', ')}
      title="More of your price alerts"
      button={{ path: '/price-alerts', label: 'See your price alerts' }}
      reason="You get this mail because many of your price alerts fired on one day. After ten mails we put the rest into one."
      unsubscribe={{ path: stopPath, label: 'Stop all my price alerts' }}
    >
      {alerts.map(({ eventId, title, slug, merchantName, oldPrice, newPrice }) => (
        <MailDeal
          key={eventId}
          site={site}
          title={title}
          path={`/deals/${slug}`}
          now={formatMoney(newPrice, site.currency)}
          was={
            oldPrice !== null && oldPrice > newPrice ? formatMoney(oldPrice, site.currency) : null
          }
          notes={[`at ${merchantName}`]}
        />
      ))}
    </MailLayout>
  );
}

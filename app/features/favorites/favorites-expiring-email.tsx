import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { fullTime } from '#app/platform/time-words.ts';

export interface FavoritesExpiringProps {
  deals: { title: string; slug: string; price: number; expiresAt: Date; merchantName: string }[];
  stopPath: string;
}

export function subject({ deals }: FavoritesExpiringProps): string {
  return deals.length === 1
    ? `Ends soon: ${deals[0]?.title ?? ''}`
    : `${deals.length} of your favorites end soon`;
}

export default function FavoritesExpiringEmail({
  deals,
  stopPath,
  site,
}: FavoritesExpiringProps & { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview={deals.map((deal) => deal.title).join(', ')}
      title="Your favorites end soon"
      button={{ path: '/favorites', label: 'See your favorites' }}
      reason="You get this mail because you asked to be reminded before a favorite ends."
      unsubscribe={{ path: stopPath, label: 'Switch these reminders off' }}
    >
      {deals.map((deal) => (
        <MailText key={deal.slug}>
          <MailLink site={site} path={`/deals/${deal.slug}`}>
            {deal.title}
          </MailLink>
          : <strong>{formatMoney(deal.price, site.currency)}</strong> at {deal.merchantName}, until{' '}
          {fullTime(deal.expiresAt, site.timeZone)}
        </MailText>
      ))}
    </MailLayout>
  );
}

import { MailDeal } from '#app/platform/mail/mail-deal.tsx';
import { MailLayout } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { fullTime } from '#app/platform/time-words.ts';

export interface EndingFavorite {
  title: string;
  slug: string;
  price: number;
  expiresAt: Date;
  merchantName: string;
}

interface Props {
  deals: EndingFavorite[];
  stopPath: string;
}

export function subject({ deals }: Props): string {
  return deals.length === 1
    ? `Ends soon: ${deals[0]?.title ?? ''}`
    : `${deals.length} of your favorites end soon`;
}

export default function FavoritesExpiringEmail({ deals, stopPath, site }: InMail<Props>) {
  return (
    <MailLayout
      site={site}
      preview={deals.map((deal) => deal.title).join(', ')}
      title="Your favorites end soon"
      button={{ path: '/favorites', label: 'See your favorites' }}
      reason="You are receiving this email because you asked to be reminded before a favorite ends."
      unsubscribe={{ path: stopPath, label: 'Turn these reminders off' }}
    >
      {deals.map(({ slug, title, price, merchantName, expiresAt }) => (
        <MailDeal
          key={slug}
          site={site}
          title={title}
          path={`/deals/${slug}`}
          now={formatMoney(price, site.currency)}
          notes={[`at ${merchantName}`, `Ends ${fullTime(expiresAt, site.timeZone)}`]}
        />
      ))}
    </MailLayout>
  );
}

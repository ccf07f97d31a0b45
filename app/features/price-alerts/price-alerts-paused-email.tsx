import { countNoun } from '#app/platform/count-noun.ts';
import { MailLayout, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  count: number;
  from: string;
  to: string;
  stopPath: string;
  listPath: string;
}

export function subject({ count }: Props): string {
  return count === 1 ? 'Your price alert is paused' : `Your ${count} price alerts are paused`;
}

export default function PriceAlertsPausedEmail({
  count,
  from,
  to,
  stopPath,
  listPath,
  site,
}: InMail<Props>) {
  const alerts = countNoun(count, 'price alert');
  return (
    <MailLayout
      site={site}
      preview={`Prices are now in ${to}`}
      title={subject({ count, from, to, stopPath, listPath })}
      button={{ path: listPath, label: 'Set new targets' }}
      reason="You are receiving this email because you set price alerts."
      unsubscribe={{ path: stopPath, label: 'Stop all price alerts' }}
    >
      <MailText>
        {site.name} now shows prices in {to} instead of {from}. Your {alerts} in {from} will no
        longer fire, because targets are not converted between currencies. Edit an alert to set a
        target in {to}.
      </MailText>
    </MailLayout>
  );
}

import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import { MailProof } from '#app/platform/mail/mail-deal.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { describeWish } from './alert-kind.ts';
import type { WatchRequest } from './watcher-queries.server.ts';

interface Props extends WatchRequest {
  confirmPath: string;
}

export function subject({ deal }: Props): string {
  return `Please confirm your price alert: ${deal.title}`;
}

export default function ConfirmAlertEmail(request: InMail<Props>) {
  const { site, deal, confirmPath } = request;
  const money = (amount: number) => formatMoney(amount, site.currency);
  return (
    <MailLayout
      site={site}
      preview="One step, and we watch this price for you."
      title="Please confirm your price alert"
      button={{ path: confirmPath, label: 'Watch this price' }}
      reason={`You are receiving this email because somebody entered this address for a price alert at ${site.name}. If it was not you, ignore this email: nothing is sent without your confirmation, and after three days the request is forgotten.`}
    >
      <MailText>
        <MailLink site={site} path={`/deals/${deal.slug}`}>
          {deal.title}
        </MailLink>
        {` at ${deal.merchantName}${deal.sale_price === null ? '' : `, now ${money(deal.sale_price)}`}`}
      </MailText>
      <MailProof>We write to you when {describeWish(request, money)}.</MailProof>
    </MailLayout>
  );
}

import { MailLayout, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  place: string;
  why: 'failed' | 'removed';
}

export function subject(): string {
  return 'Your alerts come by email again';
}

export default function AlertChannelEndedEmail({ place, why, site }: InMail<Props>) {
  return (
    <MailLayout
      site={site}
      preview={`${place} no longer gets alerts.`}
      title={subject()}
      button={{ path: '/price-alerts', label: 'See your channels' }}
      reason={`You are receiving this email because your alerts at ${site.name} went to this channel.`}
    >
      <MailText>
        {why === 'failed'
          ? `Messages to ${place} could not be delivered, so we stopped it.`
          : `The channel ${place} was stopped.`}{' '}
        It was your last one. All of your alerts and watched searches come by email until you add
        another.
      </MailText>
    </MailLayout>
  );
}

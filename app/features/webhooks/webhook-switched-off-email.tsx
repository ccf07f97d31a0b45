import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail, MailSite } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  endpointId: number;
  host: string;
}

export function subject({ host }: Props, site: MailSite): string {
  return `${site.name} stopped sending webhooks to ${host}`;
}

export default function WebhookSwitchedOffEmail({ endpointId, host, site }: InMail<Props>) {
  return (
    <MailLayout
      site={site}
      preview={`${host} has not answered successfully for days.`}
      title="A webhook was switched off"
      reason={`You are receiving this email because you look after ${site.name}.`}
    >
      <MailText>
        Webhook {endpointId} at {host} has not answered successfully for days, or said that it is
        gone. Nothing more is sent there, and what was waiting is cancelled.
      </MailText>
      <MailText>
        The answers stand in{' '}
        <MailLink site={site} path={`/admin/developers/webhooks/${endpointId}`}>
          its log
        </MailLink>
        . When it listens again, switch it on there.
      </MailText>
    </MailLayout>
  );
}

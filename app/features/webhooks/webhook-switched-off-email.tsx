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
      preview={`${host} has not responded successfully for days.`}
      title="A webhook was turned off"
      reason={`You are receiving this email because you manage ${site.name}.`}
    >
      <MailText>
        Webhook {endpointId} at {host} has not responded successfully for days, or reported that it
        is gone. Nothing more is sent there, and waiting events are cancelled.
      </MailText>
      <MailText>
        See the responses in{' '}
        <MailLink site={site} path={`/admin/developers/webhooks/${endpointId}`}>
          its log
        </MailLink>
        . Once the problem is fixed, turn it on there.
      </MailText>
    </MailLayout>
  );
}

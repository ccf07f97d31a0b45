import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  endpointId: number;
  host: string;
}

export function subject({ host }: Props, site: MailSite): string {
  return `${site.name} stopped sending webhooks to ${host}`;
}

export default function WebhookSwitchedOffEmail({
  endpointId,
  host,
  site,
}: Props & { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview={`${host} gave no good answer for days.`}
      title="A webhook was switched off"
      reason={`You get this mail because you look after ${site.name}.`}
    >
      <MailText>
        Webhook {endpointId} at {host} gave no good answer for days, or said that it is gone.
        Nothing is sent there any more, and what was waiting is cancelled.
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

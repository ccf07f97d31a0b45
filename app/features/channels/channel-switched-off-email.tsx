import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail, MailSite } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  channelId: number;
  name: string;
}

export function subject({ name }: Props, site: MailSite): string {
  return `${site.name} stopped posting to ${name}`;
}

export default function ChannelSwitchedOffEmail({ channelId, name, site }: InMail<Props>) {
  return (
    <MailLayout
      site={site}
      preview={`Every post to ${name} has failed for days.`}
      title="A channel was turned off"
      reason={`You are receiving this email because you manage ${site.name}.`}
    >
      <MailText>
        Every post to {name} has failed for days. Nothing more is sent there, and waiting posts are
        cancelled.
      </MailText>
      <MailText>
        See the last error on{' '}
        <MailLink site={site} path={`/admin/channels/${channelId}`}>
          its page
        </MailLink>
        . Once the problem is fixed, turn it on there.
      </MailText>
    </MailLayout>
  );
}

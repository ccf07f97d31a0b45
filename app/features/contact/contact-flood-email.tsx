import { MailLayout, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail, MailSite } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  limit: number;
}

export function subject(_props: Props, site: MailSite): string {
  return `${site.name}: the contact form is rejecting messages`;
}

/** Warns the team of too many messages, at most once a day. */
export default function ContactFloodEmail({ limit, site }: InMail<Props>) {
  return (
    <MailLayout
      site={site}
      preview={`More than ${limit.toLocaleString('en-US')} messages came in a day.`}
      title="The contact form is rejecting messages"
      button={{ path: '/contact', label: 'Open the contact page' }}
      reason={`You are receiving this email because messages from the contact page of ${site.name} are sent to this address.`}
    >
      <MailText>
        More than {limit.toLocaleString('en-US')} messages came through the contact form within a
        day. Further messages are rejected until the day has passed; earlier ones are stored.
      </MailText>
      <MailText>
        If these are real visitors, raise the limit: set contact-site in RATE_LIMITS to a number and
        its seconds. If not, check the log for their addresses.
      </MailText>
    </MailLayout>
  );
}

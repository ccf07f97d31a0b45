import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  address: string;
  day: string;
}

export function subject({ address }: Props): string {
  return `${address} changed a sealed day`;
}

export default function WitnessConflictEmail({ address, day, site }: InMail<Props>) {
  return (
    <MailLayout
      site={site}
      preview={`Its ${day} differs from the day that you keep.`}
      title="A site that you witness changed a sealed day"
      reason={`You are receiving this email because you manage ${site.name}.`}
    >
      <MailText>
        {address} changed its sealed {day}. {site.name} keeps the day as it was, publishes both, and
        countersigns nothing more.
      </MailText>
      <MailText>
        A restored backup looks the same. Ask the owner of the site. If the reason is honest, accept
        the new days on{' '}
        <MailLink site={site} path="/admin/developers/witnesses">
          the page of witnesses
        </MailLink>
        .
      </MailText>
    </MailLayout>
  );
}

import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  address: string;
  day: string;
}

export function subject({ address }: Props): string {
  return `The sealed days of ${address} changed`;
}

export default function WitnessConflictEmail({ address, day, site }: InMail<Props>) {
  return (
    <MailLayout
      site={site}
      preview={`From ${day} on, they do not continue those that you keep.`}
      title="The sealed days of a site that you witness changed"
      reason={`You are receiving this email because you manage ${site.name}.`}
    >
      <MailText>
        From {day} on, the days of {address} do not continue those that {site.name} keeps: one was
        rewritten or is gone, or its new key was not signed by the old key. {site.name} publishes
        both versions and countersigns nothing more.
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

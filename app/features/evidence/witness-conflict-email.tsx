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
      preview={`From ${day} on, its days don’t match those you keep.`}
      title="The sealed days of a site that you witness changed"
      reason={`You are receiving this email because you manage ${site.name}.`}
    >
      <MailText>
        From {day} on, the days of {address} don’t match those that {site.name} keeps: a day was
        rewritten or is missing, or the old key did not sign the new one. {site.name} publishes both
        versions and has stopped countersigning.
      </MailText>
      <MailText>
        A restored backup looks the same. Ask the owner of the site. If there is a good reason,
        accept the new days on{' '}
        <MailLink site={site} path="/admin/developers/witnesses">
          the Witnesses page
        </MailLink>
        .
      </MailText>
    </MailLayout>
  );
}

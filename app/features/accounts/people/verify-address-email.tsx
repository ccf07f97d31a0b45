import { MailLayout, MailNote, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';

export interface VerifyAddressProps {
  path: string;
}

export function subject(_props: VerifyAddressProps, site: MailSite): string {
  return `Verify your email address for ${site.name}`;
}

/** It goes to an address that nobody has verified, so it says nothing that the sender typed (R26). */
export default function VerifyAddressEmail({
  path,
  site,
}: VerifyAddressProps & { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview="One step and your account is ready."
      title="Verify your email address"
      button={{ path, label: 'Verify my email address' }}
      reason={`You get this mail because somebody signed up to ${site.name} with this address. Was it not you? Then do nothing.`}
    >
      <MailText>
        Please verify that this address is yours. Price alerts can reach you then.
      </MailText>
      <MailNote>The link works once, for 24 hours. It asks for the password you chose.</MailNote>
    </MailLayout>
  );
}

import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';

export interface PasskeyAddedProps {
  fullName: string;
  /** What the owner called it. */
  name: string;
}

export function subject(_props: PasskeyAddedProps, site: MailSite): string {
  return `A passkey was added to your account at ${site.name}`;
}

export default function PasskeyAddedEmail({
  fullName,
  name,
  site,
}: PasskeyAddedProps & { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview="If it was you, there is nothing to do."
      title="A passkey was added"
      reason={`You get this mail because a way to sign in at ${site.name} was added.`}
    >
      <MailText>Hello {fullName},</MailText>
      <MailText>
        the passkey “{name}” opens your account from now on. Was it not you?{' '}
        <MailLink site={site} path="/profile/passkeys">
          Remove it
        </MailLink>{' '}
        at once, change your password, and end all sessions that you do not know.
      </MailText>
    </MailLayout>
  );
}

import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';

export interface PasswordChangedProps {
  fullName: string;
}

export function subject(_props: PasswordChangedProps, site: MailSite): string {
  return `Your password at ${site.name} was changed`;
}

export default function PasswordChangedEmail({
  fullName,
  site,
}: PasswordChangedProps & { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview="If it was you, there is nothing to do."
      title="Your password was changed"
      reason={`You get this mail because the password of your account at ${site.name} was changed.`}
    >
      <MailText>Hello {fullName},</MailText>
      <MailText>
        your password was changed just now, and your other sessions were ended. Was it not you?{' '}
        <MailLink site={site} path="/forgot-password">
          Set a new password
        </MailLink>{' '}
        at once.
      </MailText>
    </MailLayout>
  );
}

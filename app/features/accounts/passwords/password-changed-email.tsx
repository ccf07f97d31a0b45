import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';

export function subject(_props: object, site: MailSite): string {
  return `Your password at ${site.name} was changed`;
}

export default function PasswordChangedEmail({ site }: { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview="If it was you, there is nothing to do."
      title="Your password was changed"
      reason={`You get this mail because the password of your account at ${site.name} was changed.`}
    >
      <MailText>
        Your password was changed just now, and your other sessions were ended. Was it not you?{' '}
        <MailLink site={site} path="/forgot-password">
          Set a new password
        </MailLink>{' '}
        at once.
      </MailText>
    </MailLayout>
  );
}

import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';

export function subject(_props: object, site: MailSite): string {
  return `You already have an account at ${site.name}`;
}

export default function AlreadyRegisteredEmail({ site }: { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview="Somebody tried to sign up with your address."
      title="You already have an account"
      button={{ path: '/sign-in', label: 'Sign In' }}
      reason={`You get this mail because somebody tried to sign up to ${site.name} with this address. Was it not you? Then do nothing: your account is unchanged.`}
    >
      <MailText>There is an account with this address already, so you can simply sign in.</MailText>
      <MailText>
        If the password has slipped your mind,{' '}
        <MailLink site={site} path="/forgot-password">
          set a new one
        </MailLink>
        .
      </MailText>
    </MailLayout>
  );
}

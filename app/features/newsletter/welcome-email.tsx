import { MailLayout, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail, MailSite } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  unsubscribePath: string;
  preferencesPath?: string;
  hasDigest: boolean;
}

export function subject(_props: Props, site: MailSite): string {
  return `Welcome to the ${site.name} newsletter`;
}

export default function WelcomeEmail({
  unsubscribePath,
  preferencesPath,
  hasDigest,
  site,
}: InMail<Props>) {
  return (
    <MailLayout
      site={site}
      preview="You are subscribed. Here is what to expect."
      title="You are subscribed"
      button={{ path: '/deals', label: 'See today’s deals' }}
      reason={`You are receiving this email because this address was subscribed to the newsletter of ${site.name}.`}
      unsubscribe={{ path: unsubscribePath, label: 'Unsubscribe', preferencesPath }}
    >
      <MailText>Thank you for joining the {site.name} newsletter.</MailText>
      <MailText>
        {hasDigest
          ? 'Once a week you get the best new deals, each with its price history, so that you see whether the price is really low.'
          : 'We will email you when there is something worth your time.'}{' '}
        No spam, and you can unsubscribe with one click at any time.
      </MailText>
    </MailLayout>
  );
}

import { MailLayout, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';

export interface WelcomeProps {
  unsubscribePath: string;
  hasDigest: boolean;
}

export function subject(_props: WelcomeProps, site: MailSite): string {
  return `Welcome to the ${site.name} newsletter`;
}

export default function WelcomeEmail({
  unsubscribePath,
  hasDigest,
  site,
}: WelcomeProps & { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview="You are subscribed. Here is what to expect."
      title="You are subscribed"
      button={{ path: '/deals', label: 'See today’s deals' }}
      reason={`You get this mail because this address was subscribed to the newsletter of ${site.name}.`}
      unsubscribe={{ path: unsubscribePath, label: 'Unsubscribe' }}
    >
      <MailText>Thank you for joining the {site.name} newsletter.</MailText>
      <MailText>
        {hasDigest
          ? 'Once a week you get the best new deals, each with what our price log knows about it: whether the price is really low, or was lower before.'
          : 'When there is something worth a mail, you hear from us.'}{' '}
        No spam, and you can leave with one click at any time.
      </MailText>
    </MailLayout>
  );
}

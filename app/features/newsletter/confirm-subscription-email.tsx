import { MailLayout, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';

export interface ConfirmSubscriptionProps {
  confirmPath: string;
}

export function subject(_props: ConfirmSubscriptionProps, site: MailSite): string {
  return `Please confirm your subscription to ${site.name}`;
}

export default function ConfirmSubscriptionEmail({
  confirmPath,
  site,
}: ConfirmSubscriptionProps & { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview="One step and you are subscribed."
      title="Please confirm your subscription"
      button={{ path: confirmPath, label: 'Confirm my subscription' }}
      reason={`You get this mail because somebody entered this address in the newsletter form of ${site.name}. Was it not you? Then do nothing: without your confirmation no newsletter will come.`}
    >
      <MailText>
        You asked for the {site.name} newsletter. Press the button, and it is yours.
      </MailText>
    </MailLayout>
  );
}

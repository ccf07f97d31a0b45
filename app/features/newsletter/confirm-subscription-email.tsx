import { MailLayout, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail, MailSite } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  confirmPath: string;
}

export function subject(_props: Props, site: MailSite): string {
  return `Please confirm your subscription to ${site.name}`;
}

export default function ConfirmSubscriptionEmail({ confirmPath, site }: InMail<Props>) {
  return (
    <MailLayout
      site={site}
      preview="One step and you are subscribed."
      title="Please confirm your subscription"
      button={{ path: confirmPath, label: 'Confirm my subscription' }}
      reason={`You are receiving this email because someone entered this address in the newsletter form of ${site.name}. If it was not you, you can ignore it: no newsletter is sent without your confirmation.`}
    >
      <MailText>You asked for the {site.name} newsletter. Press the button to confirm.</MailText>
    </MailLayout>
  );
}

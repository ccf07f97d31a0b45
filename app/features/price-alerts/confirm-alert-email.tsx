import { MailLayout, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  confirmPath: string;
}

export const subject = () => 'Please confirm your price alert';

/** Goes to an address that anybody may have typed, so nothing that was asked for is in it (R26). */
export default function ConfirmAlertEmail({ site, confirmPath }: InMail<Props>) {
  return (
    <MailLayout
      site={site}
      preview="One step, and we watch this price for you."
      title="Please confirm your price alert"
      button={{ path: confirmPath, label: 'See the alert and confirm' }}
      reason={`You are receiving this email because somebody entered this address for a price alert at ${site.name}. If it was not you, ignore this email: nothing is sent without your confirmation, and after three days the request is forgotten.`}
    >
      <MailText>The page behind this button shows what was asked for.</MailText>
    </MailLayout>
  );
}

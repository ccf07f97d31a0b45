import { MailLayout, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  confirmPath: string;
}

export const subject = () => 'Please confirm your watched search';

/** Goes to an address that anybody may have typed, so nothing that was typed with it is in it (R26). */
export default function ConfirmSearchEmail({ site, confirmPath }: InMail<Props>) {
  return (
    <MailLayout
      site={site}
      preview="One step, and we watch this search for you."
      title="Please confirm your watched search"
      button={{ path: confirmPath, label: 'See the search and confirm' }}
      reason={`You are receiving this email because somebody entered this address to watch a search at ${site.name}. If it was not you, ignore this email: nothing is sent without your confirmation, and after three days the request is forgotten.`}
    >
      <MailText>The page behind this button shows what was asked for.</MailText>
    </MailLayout>
  );
}

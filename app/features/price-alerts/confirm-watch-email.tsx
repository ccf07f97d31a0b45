import { MailLayout, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  what: 'alert' | 'search';
  confirmPath: string;
}

const words = {
  alert: {
    title: 'Please confirm your price alert',
    preview: 'One step, and we watch this price for you.',
    button: 'See the alert and confirm',
    wish: 'for a price alert',
  },
  search: {
    title: 'Please confirm your watched search',
    preview: 'One step, and we watch this search for you.',
    button: 'See the search and confirm',
    wish: 'to watch a search',
  },
};

export const subject = ({ what }: Props) => words[what].title;

/** Goes to an address that anybody may have typed, so nothing that was asked for is in it (R26). */
export default function ConfirmWatchEmail({ site, what, confirmPath }: InMail<Props>) {
  const { title, preview, button, wish } = words[what];
  return (
    <MailLayout
      site={site}
      preview={preview}
      title={title}
      button={{ path: confirmPath, label: button }}
      reason={`You are receiving this email because somebody entered this address ${wish} at ${site.name}. If it was not you, ignore this email: nothing is sent without your confirmation, and after three days the request is forgotten.`}
    >
      <MailText>The page behind this button shows what was asked for.</MailText>
    </MailLayout>
  );
}

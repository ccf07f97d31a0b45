import { MailLayout, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  what: 'alert' | 'search';
  confirmPath: string;
}

const words = {
  alert: {
    title: 'Please confirm your price alert',
    preview: 'One more step, and we will watch this price for you.',
    button: 'See the alert and confirm',
    wish: 'for a price alert',
  },
  search: {
    title: 'Please confirm your watched search',
    preview: 'One more step, and we will watch this search for you.',
    button: 'See the search and confirm',
    wish: 'to watch a search',
  },
};

export const subject = ({ what }: Props) => words[what].title;

/**
 * Asks to confirm a request. Anyone may have typed the address, so the email repeats nothing from
 * the request.
 */
export default function ConfirmWatchEmail({ site, what, confirmPath }: InMail<Props>) {
  const { title, preview, button, wish } = words[what];
  return (
    <MailLayout
      site={site}
      preview={preview}
      title={title}
      button={{ path: confirmPath, label: button }}
      reason={`You are receiving this email because someone entered this address ${wish} at ${site.name}. If it was not you, you can ignore it: nothing is sent without your confirmation, and the request is deleted after three days.`}
    >
      <MailText>The button opens a page with the details of the request.</MailText>
    </MailLayout>
  );
}

import { MailLayout, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  id: number;
  name: string;
  subject: string;
}

export function subject({ subject: written }: Props): string {
  return `A message for you: ${written}`;
}

/** Notifies the assigned colleague. The message itself is in the inbox, where it is answered. */
export default function ContactAssignedEmail({ site, id, name, subject: title }: InMail<Props>) {
  return (
    <MailLayout
      site={site}
      preview={`From ${name}`}
      title={title}
      button={{ path: `/admin/messages/${id}`, label: 'Open the message' }}
      reason={`You are receiving this email because a colleague at ${site.name} assigned this message to you.`}
    >
      <MailText>
        {name} wrote to us on the contact page, and a colleague assigned the message to you.
      </MailText>
    </MailLayout>
  );
}

import { MailLayout, MailNote } from '#app/platform/mail/mail-frame.tsx';
import { fullDateTime } from '#app/platform/time-words.ts';
import { MailParagraphs } from './mail-paragraphs.tsx';
import { withinHours } from './contact-messages.ts';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  name: string;
  email: string;
  subject: string;
  message: string;
  sentAt: Date;
}

export function subject({ subject: written, name }: Props): string {
  return `Contact form: ${written} (${name})`;
}

/** Sends a contact message to the team as plain text, so that links in it are not clickable. */
export default function ContactEmail({ site, ...written }: InMail<Props>) {
  const { name, email, subject: title, message, sentAt } = written;
  const promise =
    site.replyHours === null ? '' : ` We promise a reply${withinHours(site.replyHours)}.`;
  return (
    <MailLayout
      site={site}
      preview={`From ${name}: ${title}`}
      title={title}
      reason={`You are receiving this email because messages from the contact page of ${site.name} are sent to this address.${promise}`}
    >
      <MailNote>
        From {name}, {email}
        <br />
        {fullDateTime(sentAt, site.timeZone)}
      </MailNote>
      <MailParagraphs text={message} />
    </MailLayout>
  );
}

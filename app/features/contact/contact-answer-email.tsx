import { MailLayout, MailNote } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';
import { fullDateTime } from '#app/platform/time-words.ts';
import { MailParagraphs } from './mail-paragraphs.tsx';

interface Props {
  /** The subject of the answered message. */
  subject: string;
  body: string;
  message: string;
  sentAt: Date;
}

export function subject({ subject: written }: Props): string {
  return /^re:/i.test(written) ? written : `Re: ${written}`;
}

/**
 * Renders an answer by staff, with the message below. Both are plain text, so that links in them
 * are not clickable.
 */
export default function ContactAnswerEmail({ site, ...answer }: InMail<Props>) {
  const { subject: title, body, message, sentAt } = answer;
  return (
    <MailLayout
      site={site}
      preview={body.slice(0, 120)}
      title={title}
      reason={`You are receiving this email because you wrote to ${site.name} on its contact page.`}
    >
      <MailParagraphs text={body} />
      <MailNote>On {fullDateTime(sentAt, site.timeZone)} you wrote:</MailNote>
      <MailParagraphs text={message} />
    </MailLayout>
  );
}

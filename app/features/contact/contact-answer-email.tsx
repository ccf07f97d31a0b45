import { MailLayout, MailNote } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';
import { fullDateTime } from '#app/platform/time-words.ts';
import { MailParagraphs } from './mail-paragraphs.tsx';

interface Props {
  /** Of the message that is answered. */
  subject: string;
  body: string;
  message: string;
  sentAt: Date;
}

export function subject({ subject: written }: Props): string {
  return /^re:/i.test(written) ? written : `Re: ${written}`;
}

/** What staff wrote, and below it what it answers. Both are text: a link in them stays unclickable. */
export default function ContactAnswerEmail({ site, ...answer }: InMail<Props>) {
  const { subject: title, body, message, sentAt } = answer;
  return (
    <MailLayout
      site={site}
      preview={body.slice(0, 120)}
      title={title}
      reason={`You are receiving this email because you wrote to ${site.name} by its contact page.`}
    >
      <MailParagraphs text={body} />
      <MailNote>On {fullDateTime(sentAt, site.timeZone)} you wrote:</MailNote>
      <MailParagraphs text={message} />
    </MailLayout>
  );
}

import { longDate } from '#app/platform/time-words.ts';
import { MailLayout, MailText } from '#app/platform/mail/mail-frame.tsx';
import { withinHours } from './contact-messages.ts';
import type { InMail, MailSite } from '#app/platform/mail/mail-kind.server.ts';

interface Props {
  sentAt: Date;
}

export function subject(_props: Props, site: MailSite): string {
  return `We received your message | ${site.name}`;
}

/** Confirms a message without quoting it, since the address may be someone else's. */
export default function ContactConfirmationEmail({ sentAt, site }: InMail<Props>) {
  const { timeZone } = site;
  const day = longDate(sentAt, timeZone);
  return (
    <MailLayout
      site={site}
      preview={`We reply${withinHours(site.replyHours)}.`}
      title="We received your message"
      button={{ path: '/help', label: 'Open the Help Center' }}
      reason={`You are receiving this email because someone gave this address on the contact page of ${site.name}. If it was not you, you can ignore it.`}
    >
      <MailText>
        Thank you for writing to us on {day}. A person will read your message and reply
        {withinHours(site.replyHours)}, to this address.
      </MailText>
      <MailText>
        In the meantime, the Help Center may have what you are looking for.
        {site.contactEmail ? ` If you forgot something, write to ${site.contactEmail}.` : ''}
      </MailText>
    </MailLayout>
  );
}

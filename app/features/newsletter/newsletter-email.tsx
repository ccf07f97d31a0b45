import { MailLayout, MailNote } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';
import type { NewsletterContent } from './newsletter-content.ts';

export interface NewsletterEmailProps extends NewsletterContent {
  unsubscribePath: string;
  preferencesPath?: string;
  isTest?: boolean;
}

export function subject({ subject: line, isTest }: NewsletterEmailProps): string {
  return isTest ? `Test: ${line}` : line;
}

export default function NewsletterEmail(props: InMail<NewsletterEmailProps>) {
  const { subject: title, preview, body, pricesAt, unsubscribePath, preferencesPath, site } = props;
  return (
    <MailLayout
      site={site}
      preview={preview || title}
      title={title}
      reason={`You are receiving this email because this address is subscribed to the newsletter of ${site.name}. We may earn a commission when you buy through our links.`}
      unsubscribe={{ path: unsubscribePath, label: 'Unsubscribe', preferencesPath }}
    >
      {/* The HTML was sanitized when it was saved, and again when the email was rendered. */}
      <div dangerouslySetInnerHTML={{ __html: body }} />
      {pricesAt === null ? null : (
        <MailNote>
          Prices as of {pricesAt}. They may have changed since. See the deal’s page for the current
          one.
        </MailNote>
      )}
    </MailLayout>
  );
}

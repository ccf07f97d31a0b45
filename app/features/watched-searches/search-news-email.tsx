import { DigestDeals } from '#app/features/newsletter/digest-email.tsx';
import type { DigestContent } from '#app/features/newsletter/digest-content.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { MailLayout, MailLink } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';

interface Props extends DigestContent {
  /** The search's name and address. */
  name: string;
  address: string;
  /** The number of all finds; the email shows the first. */
  count: number;
  stopPath: string;
  listPath: string;
}

export function subject({ count, name }: Props): string {
  return `${countNoun(count, 'new deal')}: ${name}`;
}

export default function SearchNewsEmail(news: InMail<Props>) {
  const { site, name, address, count, deals, listPath } = news;
  return (
    <MailLayout
      site={site}
      preview={deals.map((deal) => `${deal.price}: ${deal.title}`).join(', ')}
      title={`${countNoun(count, 'new deal')} for ${name}`}
      button={{ path: address, label: 'See the whole list' }}
      reason={
        <>
          You are receiving this email because you watch this search at {site.name}. You can change
          how often we email you on the page{' '}
          <MailLink site={site} path={listPath}>
            of your watched searches
          </MailLink>
          .
        </>
      }
      unsubscribe={{ path: news.stopPath, label: 'Stop watching this search' }}
    >
      <DigestDeals site={site} deals={deals} writtenAt={news.writtenAt} />
    </MailLayout>
  );
}

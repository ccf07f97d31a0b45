import type { DigestContent } from '#app/features/newsletter/digest-content.ts';
import { DigestDeals } from '#app/features/newsletter/digest-email.tsx';
import { countNoun } from '#app/platform/count-noun.ts';
import { MailLayout, MailLink } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';

interface Props extends DigestContent {
  stopPath: string;
}

export function subject({ deals }: Props): string {
  return `${countNoun(deals.length, 'new deal')} from what you follow`;
}

export default function FollowsWeeklyEmail({ deals, writtenAt, stopPath, site }: InMail<Props>) {
  return (
    <MailLayout
      site={site}
      preview={deals.map(({ price, title }) => `${price}: ${title}`).join(', ')}
      title="This week’s best deals from what you follow"
      button={{ path: '/for-you', label: 'See all deals for you' }}
      reason={
        <>
          You are receiving this email once a week because you asked for it at {site.name}.{' '}
          <MailLink site={site} path="/for-you#following">
            Change what you follow
          </MailLink>
          . We may earn a commission when you buy through our links.
        </>
      }
      unsubscribe={{ path: stopPath, label: 'Stop this weekly email' }}
    >
      <DigestDeals site={site} deals={deals} writtenAt={writtenAt} />
    </MailLayout>
  );
}

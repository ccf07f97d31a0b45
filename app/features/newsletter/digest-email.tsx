import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import { MailLayout, MailLink, MailNote, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';
import type { DigestContent, DigestDeal } from './digest-content.ts';

export interface DigestProps extends DigestContent {
  unsubscribePath: string;
}

export function subject({ deals: [best] }: DigestProps, site: MailSite): string {
  return best ? `${best.price}: ${best.title}` : `New deals at ${site.name}`;
}

export default function DigestEmail({
  deals,
  writtenAt,
  unsubscribePath,
  site,
}: DigestProps & { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview={`The best ${deals.length} new deals of the week, with what our price log knows about each.`}
      title="The best new deals of the week"
      button={{ path: '/deals?sort=newest', label: 'See all new deals' }}
      reason={`You get this mail once a week because this address is subscribed to the newsletter of ${site.name}. We may earn a commission when you buy through our links.`}
      unsubscribe={{ path: unsubscribePath, label: 'Unsubscribe' }}
    >
      {deals.map((deal) => (
        <DigestEntry key={deal.slug} deal={deal} site={site} />
      ))}
      <MailNote>
        Prices as of {writtenAt}. They may have changed since: the deal’s page shows the present
        one.
      </MailNote>
    </MailLayout>
  );
}

function DigestEntry({ deal, site }: { deal: DigestDeal; site: MailSite }) {
  return (
    <Section
      className="mail-line"
      style={{ borderTop: '1px solid #e2ded4', padding: '16px 0 4px' }}
    >
      <MailText>
        <MailLink site={site} path={`/deals/${deal.slug}`}>
          {deal.title}
        </MailLink>
      </MailText>
      <Text
        className="mail-text"
        style={{ fontSize: '20px', fontWeight: 700, color: '#1c1a17', margin: '0 0 4px' }}
      >
        {deal.price}
      </Text>
      <MailNote>
        {[deal.claim, deal.evidence, `at ${deal.store}`].filter(Boolean).join(' · ')}
      </MailNote>
      <MailNote>
        Price log: {deal.proof}
        {deal.couponCode ? ` · Coupon ${deal.couponCode}` : ''}
      </MailNote>
    </Section>
  );
}

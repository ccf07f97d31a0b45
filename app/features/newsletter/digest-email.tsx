import { countNoun } from '#app/platform/count-noun.ts';
import { MailDeal } from '#app/platform/mail/mail-deal.tsx';
import { MailLayout, MailNote } from '#app/platform/mail/mail-frame.tsx';
import type { InMail, MailSite } from '#app/platform/mail/mail-kind.server.ts';
import type { DigestContent, DigestDeal } from './digest-content.ts';

interface Props extends DigestContent {
  unsubscribePath: string;
  preferencesPath?: string;
}

export function subject({ deals: [best] }: Props, site: MailSite): string {
  return best ? `${best.price}: ${best.title}` : `New deals at ${site.name}`;
}

const words = {
  weekly: {
    title: 'The best new deals of the week',
    preview: (deals: string) => `The week’s best: ${deals}, each with its price history.`,
    button: { path: '/deals?sort=newest', label: 'See all new deals' },
    reason: (site: string) =>
      `You are receiving this email once a week because this address is subscribed to the newsletter of ${site}.`,
  },
  hot: {
    title: 'Today’s real lows',
    preview: (deals: string) => `${deals} at a real low, well below the usual price.`,
    button: { path: '/deals?evidence=low', label: 'See all real lows' },
    reason: (site: string) =>
      `You are receiving this email, at most once a day, because you chose hot deals among the emails of ${site}.`,
  },
} as const;

export default function DigestEmail({
  kind = 'weekly',
  deals,
  writtenAt,
  unsubscribePath,
  preferencesPath,
  site,
}: InMail<Props>) {
  const { title, preview, button, reason } = words[kind];
  return (
    <MailLayout
      site={site}
      preview={preview(countNoun(deals.length, 'deal'))}
      title={title}
      button={button}
      reason={`${reason(site.name)} We may earn a commission when you buy through our links.`}
      unsubscribe={{ path: unsubscribePath, label: 'Unsubscribe', preferencesPath }}
    >
      <DigestDeals site={site} deals={deals} writtenAt={writtenAt} />
    </MailLayout>
  );
}

/** Renders several deals, each with the price log's evidence and its date. */
export function DigestDeals({ deals, writtenAt, site }: InMail<DigestContent>) {
  return (
    <>
      {deals.map((deal) => (
        <MailDeal
          key={deal.slug}
          site={site}
          title={deal.title}
          path={`/deals/${deal.slug}?from=mail`}
          now={deal.price}
          notes={notesOn(deal)}
          picture={deal.picture}
          line={deal.line}
        />
      ))}
      <MailNote>
        Prices as of {writtenAt}. They may have changed since. See the deal’s page for the current
        one.
      </MailNote>
    </>
  );
}

function notesOn({ claim, evidence, store, proof, couponCode, ...more }: DigestDeal): string[] {
  const { alsoAt = '', reason = '' } = more;
  return [
    [claim, evidence, `at ${store}`].filter(Boolean).join(' · '),
    alsoAt,
    `Price log: ${proof}`,
    couponCode ? `Coupon ${couponCode}` : '',
    reason,
  ].filter(Boolean);
}

import { couponsHref } from '#app/features/coupons/describe-coupon.ts';
import { DigestDeals } from '#app/features/newsletter/digest-email.tsx';
import type { DigestContent } from '#app/features/newsletter/digest-content.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';

interface MailedCoupon {
  id: number;
  code: string;
  title: string;
  merchant: { name: string; slug: string };
}

interface Props extends DigestContent {
  /** The search's name and address. */
  name: string;
  address: string;
  /** The number of all finds; the email shows the first. */
  count: number;
  coupons: readonly MailedCoupon[];
  stopPath: string;
  listPath: string;
}

export function subject(news: Props): string {
  return `${countNews(news)}: ${news.name}`;
}

/** For example `2 new deals and 1 new coupon`. */
function countNews({ count, coupons }: Pick<Props, 'count' | 'coupons'>): string {
  const parts = [
    count > 0 ? countNoun(count, 'new deal') : '',
    coupons.length > 0 ? countNoun(coupons.length, 'new coupon') : '',
  ];
  return parts.filter(Boolean).join(' and ');
}

export default function SearchNewsEmail(news: InMail<Props>) {
  const { site, name, address, deals, coupons, listPath } = news;
  return (
    <MailLayout
      site={site}
      preview={[
        ...deals.map((deal) => `${deal.price}: ${deal.title}`),
        ...coupons.map(({ code, title }) => `${code}: ${title}`),
      ].join(', ')}
      title={`${countNews(news)} for ${name}`}
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
      {deals.length > 0 ? (
        <DigestDeals site={site} deals={deals} writtenAt={news.writtenAt} />
      ) : null}
      {coupons.map(({ id, code, title, merchant }) => (
        <MailText key={id}>
          Coupon <strong>{code}</strong>: {title}. Its terms are{' '}
          <MailLink site={site} path={couponsHref(merchant.slug)}>
            with the coupons of {merchant.name}
          </MailLink>
          .
        </MailText>
      ))}
    </MailLayout>
  );
}

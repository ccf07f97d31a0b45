import { couponsHref } from '#app/features/coupons/describe-coupon.ts';
import { DigestDeals } from '#app/features/newsletter/digest-email.tsx';
import type { DigestContent } from '#app/features/newsletter/digest-content.ts';
import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';
import { countNews, newsTitle } from './news-title.ts';
import type { ProductFall } from './read-product-news.server.ts';

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
  fall: ProductFall | null;
  stopPath: string;
  listPath: string;
}

export const subject = (news: Props) => newsTitle(news);

export default function SearchNewsEmail(news: InMail<Props>) {
  const { site, name, address, deals, coupons, fall, listPath } = news;
  return (
    <MailLayout
      site={site}
      preview={[
        ...deals.map((deal) => `${deal.price}: ${deal.title}`),
        ...coupons.map(({ code, title }) => `${code}: ${title}`),
      ].join(', ')}
      title={fall ? newsTitle(news) : `${countNews(news)} for ${name}`}
      button={{ path: address, label: fall ? 'Compare all stores' : 'See the whole list' }}
      reason={
        <>
          You are receiving this email because you watch this {fall ? 'product' : 'search'} at{' '}
          {site.name}. You can change how often we email you on the page{' '}
          <MailLink site={site} path={listPath}>
            of your watched searches
          </MailLink>
          .
        </>
      }
      unsubscribe={{
        path: news.stopPath,
        label: `Stop watching this ${fall ? 'product' : 'search'}`,
      }}
    >
      {fall ? (
        <MailText>
          You watch {name}. The lowest price is now <strong>{fall.price}</strong> at {fall.store}.{' '}
          {fall.former ? `Before, it was ${fall.former}.` : null}
        </MailText>
      ) : null}
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

import { Link } from 'react-router';
import type { Route } from './+types/disclaimer-page';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { allowPageCache } from '#app/platform/app-context.server.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { DocumentFrame, type DocumentSection } from '#app/storefront/reading/document-frame.tsx';
import { policyDate } from './policy-date.ts';

export function loader({ context }: Route.LoaderArgs) {
  allowPageCache(context, []);
  return null;
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: '/disclaimer',
    title: 'Affiliate Disclaimer',
    description: 'How this site earns money from links to stores, and what that does not change.',
  });
}

export default function DisclaimerPage() {
  const { name, contactEmail } = useSite();
  return (
    <DocumentFrame
      title="Affiliate Disclaimer"
      dated={policyDate}
      lead={`${name} is free because some stores pay us a commission when you buy after following our links. You pay the same price.`}
      sections={sections(name, contactEmail)}
    />
  );
}

function sections(name: string, contactEmail: string): DocumentSection[] {
  return [
    {
      id: 'how',
      title: 'How affiliate links work',
      body: (
        <>
          <p>
            Buttons such as “Get Deal” and “Visit Store” lead to a store’s website. For stores whose
            affiliate program we belong to, the link tells the store that you came from {name}. If
            you then buy something, the store may pay us a small share of its revenue.
          </p>
          <p>
            The price you pay is the same with or without our link. Not every store has a program,
            and from those without one we earn nothing; deals of such stores are listed all the
            same.
          </p>
        </>
      ),
    },
    {
      id: 'amazon',
      title: 'Amazon Associates',
      body: (
        <p>
          {name} takes part in affiliate programs, among them the Amazon Services LLC Associates
          Program, an affiliate advertising program that lets sites earn fees by linking to Amazon
          and affiliated sites. As an Amazon Associate we earn from qualifying purchases.
        </p>
      ),
    },
    {
      id: 'independence',
      title: 'What money does not change',
      body: (
        <>
          <p>
            Commissions have no effect on the order of lists and search results, on whether a deal
            is listed, or on what we say about its price. The price log records what a product cost,
            whoever sells it.
          </p>
          <p>
            <Link to="/how-we-rank">How we rank and earn</Link> tells which stores have an affiliate
            link at present; it is written from the site’s own settings.
          </p>
        </>
      ),
    },
    {
      id: 'marking',
      title: 'How links are marked',
      body: (
        <p>
          The band below the header says on every page, before the first such link, that we may earn
          a commission. Buttons that leave the site name the store they lead to, open in a new tab,
          and are marked as sponsored for search engines.
        </p>
      ),
    },
    {
      id: 'accuracy',
      title: 'Prices, products and opinions',
      body: (
        <>
          <p>
            Prices and availability are right as of the time shown beside them and may change.
            Product descriptions rest on what stores publish. Before you buy, check price, delivery
            and condition at the store.
          </p>
          <p>
            Articles in the blog are the opinion of their authors and no advice for your particular
            case. Product names and logos belong to their owners, who do not endorse this site by
            being listed.
          </p>
        </>
      ),
    },
    {
      id: 'questions',
      title: 'Questions',
      body: (
        <p>
          If you wonder whether we earn from a particular link, ask: write to{' '}
          <a href={`mailto:${contactEmail}`}>{contactEmail}</a> or use the{' '}
          <Link to="/contact">contact page</Link>.
        </p>
      ),
    },
  ];
}

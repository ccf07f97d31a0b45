import { Link } from 'react-router';
import type { Route } from './+types/terms-page';
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
    path: '/terms',
    title: 'Terms of Service',
    description:
      'The rules for using this site: what you may expect of it, and what it asks of you.',
  });
}

export default function TermsPage() {
  const { name, contactEmail } = useSite();
  return (
    <DocumentFrame
      title="Terms of Service"
      dated={policyDate}
      lead={`The rules for using ${name}: what you may expect of the site, and what it asks of you. Using the site means accepting them.`}
      sections={sections(name, contactEmail)}
    />
  );
}

function sections(name: string, contactEmail: string): DocumentSection[] {
  return [
    {
      id: 'service',
      title: 'What the site does',
      body: (
        <>
          <p>
            {name} lists discounted products of many stores, records what they cost over time, and
            leads you to the store. Using the site is free, with or without an account.
          </p>
          <p>
            We sell nothing ourselves. A purchase is a contract between you and the store: its
            terms, its delivery, its returns and its warranty apply, and it is the store you turn to
            about an order.
          </p>
        </>
      ),
    },
    {
      id: 'prices',
      title: 'Prices and availability',
      body: (
        <>
          <p>
            Prices, coupons and availability come from stores and change at any time. We show when a
            price was last checked. What counts is the price at the store at the moment you buy.
          </p>
          <p>
            A struck price is the store’s own claim unless our price log saw it asked; the line
            beside it says which. How lists are ordered is told in{' '}
            <Link to="/how-we-rank">How we rank and earn</Link>.
          </p>
        </>
      ),
    },
    {
      id: 'affiliate',
      title: 'How the site is paid for',
      body: (
        <p>
          Some links to stores are affiliate links: if you buy after following one, the store may
          pay us a commission at no extra cost to you. The{' '}
          <Link to="/disclaimer">Affiliate Disclaimer</Link> explains it.
        </p>
      ),
    },
    {
      id: 'accounts',
      title: 'Your account',
      body: (
        <ul>
          <li>Give an email address that is yours, and keep your password to yourself.</li>
          <li>You must be at least 13 years old, or the age your country asks for.</li>
          <li>Tell us when you believe that somebody else uses your account.</li>
          <li>
            You can delete the account on your profile page at any time. We may close an account
            that breaks these terms.
          </li>
        </ul>
      ),
    },
    {
      id: 'alerts',
      title: 'Price alerts and newsletter',
      body: (
        <p>
          An alert tells you once, by mail, when a price we recorded reaches what you asked for. A
          mail can be late or lost on its way, and the price may have changed again when you read
          it; an alert is a help, not a promise of a price. The newsletter comes only to those who
          subscribed, and every alert and newsletter carries a link that ends it.
        </p>
      ),
    },
    {
      id: 'conduct',
      title: 'What is not allowed',
      body: (
        <ul>
          <li>attacking the site, or getting around its limits, locks and human checks;</li>
          <li>
            copying the catalog or the price log wholesale by machine. The{' '}
            <Link to="/feeds">feeds</Link> are there to be read by machines, and their entries may
            be shown elsewhere with a link back;
          </li>
          <li>using other people’s addresses, or sending advertising through our forms;</li>
          <li>anything the law forbids.</li>
        </ul>
      ),
    },
    {
      id: 'content',
      title: 'Content and marks',
      body: (
        <p>
          Texts, design and the price log are ours; product names, pictures and logos belong to
          their owners and are shown to identify the product. If you hold rights in something shown
          here and object, write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a> with the
          address of the page and we look into it promptly.
        </p>
      ),
    },
    {
      id: 'liability',
      title: 'Warranty and liability',
      body: (
        <>
          <p>
            We work to keep the site correct and reachable, but provide it as it is, without a
            warranty that every price is right or that the site never fails.
          </p>
          <p>
            As far as the law allows, we are not liable for indirect losses, for a price that
            changed, or for what happens between you and a store. Nothing here limits liability that
            cannot be limited by law, or rights that you have as a consumer.
          </p>
        </>
      ),
    },
    {
      id: 'changes',
      title: 'Changes to these terms',
      body: (
        <p>
          We give 30 days notice of material changes on this page before they take effect. Whoever
          goes on using the site after that accepts the new terms; whoever does not can delete their
          account before. Corrections of spelling or of an address come without notice.
        </p>
      ),
    },
    {
      id: 'contact',
      title: 'Contact',
      body: (
        <p>
          Questions about these terms go to <a href={`mailto:${contactEmail}`}>{contactEmail}</a> or
          through the <Link to="/contact">contact page</Link>.
        </p>
      ),
    },
  ];
}

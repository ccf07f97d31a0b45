import { Link } from 'react-router';
import type { Route } from './+types/privacy-page';
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
    path: '/privacy',
    title: 'Privacy Policy',
    description: 'What this site keeps about you, why, for how long, and how you get rid of it.',
  });
}

export default function PrivacyPage() {
  const { name, contactEmail } = useSite();
  return (
    <DocumentFrame
      title="Privacy Policy"
      dated={policyDate}
      lead={`What ${name} keeps about you, why, for how long, and how you get rid of it. In short: you can read everything here without an account, and nothing follows you around.`}
      sections={sections(name, contactEmail)}
    />
  );
}

function sections(name: string, contactEmail: string): DocumentSection[] {
  return [
    {
      id: 'who',
      title: 'Who is responsible',
      body: (
        <p>
          This policy is about {name}, this website and the mails it sends. Questions about it, and
          requests about your data, go to <a href={`mailto:${contactEmail}`}>{contactEmail}</a> or
          through the <Link to="/contact">contact page</Link>.
        </p>
      ),
    },
    {
      id: 'without-account',
      title: 'When you only look around',
      body: (
        <>
          <p>
            You can browse, search, read and follow deals without telling us anything. We set no
            cookie for that and use no outside analytics, advertising or font service.
          </p>
          <p>
            To send you a page, our server sees your network address, as every server does. We count
            requests by address for a few minutes, at most a day, so that nobody can overload the
            site; then the count is deleted. Our request log holds the path of the page, the time
            and the result, but neither your address nor what you typed.
          </p>
        </>
      ),
    },
    {
      id: 'clicks',
      title: 'When you follow a deal to its store',
      body: (
        <>
          <p>
            Links to stores lead through an address of ours that adds one to a counter: this deal,
            this day. The counter knows no visitor, no address and no cookie.
          </p>
          <p>
            If your browser refuses to load or run something because our rules for the page forbid
            it, it tells us. We count what that was and on which page, without your address, your
            browser or what you typed.
          </p>
          <p>
            What the store does afterwards is governed by the store’s own policy. It may set cookies
            of its own and note that you came from us, which is how a commission is credited; see
            the <Link to="/disclaimer">Affiliate Disclaimer</Link>.
          </p>
        </>
      ),
    },
    {
      id: 'account',
      title: 'When you have an account',
      body: (
        <>
          <p>We keep what the account needs to work:</p>
          <ul>
            <li>your name, your email address and whether you confirmed it;</li>
            <li>your password, only as a salted hash from which it cannot be read back;</li>
            <li>
              your open sessions, each with the time, the network address and the browser it was
              opened with, so that you can recognise and end one that is not yours;
            </li>
            <li>
              what you set up yourself: passkeys, a second factor, an account from elsewhere, and
              the browsers that shall get notices;
            </li>
            <li>the deals you marked as favorites and the price alerts you set.</li>
          </ul>
          <p>
            A session ends after 14 days without use and after 30 days in any case. Everything else
            stays until you change it or delete the account.
          </p>
        </>
      ),
    },
    {
      id: 'mails',
      title: 'When we write to you',
      body: (
        <>
          <p>
            We write about your account (confirming an address, a new password), about price alerts
            and reminders you asked for, and, if you subscribed, the newsletter. Alerts, reminders
            and the newsletter each carry a link that ends them without signing in.
          </p>
          <p>
            Our mails hold no tracking pixels and no counted links. A record of each mail is kept
            for 90 days, so that we can see whether it arrived, and is then deleted. After you
            unsubscribe we keep your address and the date, so that we do not write to you by
            mistake; ask us and we delete that too.
          </p>
        </>
      ),
    },
    {
      id: 'messages',
      title: 'When you write to us',
      body: (
        <p>
          A message through the <Link to="/contact">contact page</Link> is stored with your name,
          address and subject so that it cannot get lost, and is read by the people who answer. It
          is deleted when it is no longer needed, or as soon as you ask.
        </p>
      ),
    },
    {
      id: 'cookies',
      title: 'Cookies and browser storage',
      body: (
        <p>
          One cookie keeps you signed in; it is set when you sign in and not before, as are a few
          that live for minutes while you do. Your theme is remembered in your browser only. The{' '}
          <Link to="/cookies">Cookie Policy</Link> lists each and lets you choose.
        </p>
      ),
    },
    {
      id: 'sharing',
      title: 'Who else gets your data',
      body: (
        <>
          <p>
            We do not sell or rent personal data. It is seen by the people who run {name} and by the
            companies that host the site and carry its mails, who work on our instructions.
          </p>
          <p>
            Where the form’s human check is done by an outside provider, the form names that
            provider, and your browser talks to it when you begin the check. Pictures of deals may
            come from a store’s own server, which then sees your address as any server does.
          </p>
          <p>We hand data to authorities only where the law obliges us to.</p>
        </>
      ),
    },
    {
      id: 'rights',
      title: 'Your choices and rights',
      body: (
        <>
          <p>On your profile page, without asking anybody, you can</p>
          <ul>
            <li>see and correct your name and change your password;</li>
            <li>download everything we keep about you as a file;</li>
            <li>end any session;</li>
            <li>
              delete the account. Favorites, alerts, sessions, your subscription and pending mails
              go with it; the log of administrative acts keeps a number that names nobody.
            </li>
          </ul>
          <p>
            Depending on where you live you may have further rights, such as objecting to a use of
            your data or complaining to a supervisory authority. Write to us and we help.
          </p>
        </>
      ),
    },
    {
      id: 'safety',
      title: 'How data is protected',
      body: (
        <p>
          Passwords are stored as hashes, session tokens as fingerprints, and the cookie cannot be
          read by scripts. Only administrators can open the back office, and what they change there
          is logged. No system is perfectly safe: should your data be affected by a breach, we tell
          you and those who must know without delay.
        </p>
      ),
    },
    {
      id: 'children',
      title: 'Children',
      body: (
        <p>
          The site is not made for children under 13, and we do not knowingly keep their data. If
          you believe that a child has an account, tell us and we delete it.
        </p>
      ),
    },
    {
      id: 'changes',
      title: 'Changes to this policy',
      body: (
        <p>
          When this policy changes in substance we say so on this page at least 30 days before the
          change takes effect. The date at the top tells since when this text holds.
        </p>
      ),
    },
  ];
}

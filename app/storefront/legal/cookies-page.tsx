import { Link } from 'react-router';
import type { Route } from './+types/cookies-page';
import { allowPageCache } from '#app/platform/app-context.server.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { DocumentFrame, type DocumentSection } from '#app/storefront/reading/document-frame.tsx';
import { CookieToggles } from './cookie-toggles.tsx';
import { keptValues } from './kept-values.ts';
import { policyDate } from './policy-date.ts';

export function loader({ context }: Route.LoaderArgs) {
  allowPageCache(context, []);
  return null;
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: '/cookies',
    title: 'Cookie Policy',
    description:
      'Every cookie and stored value of this site, what it is for, and how to refuse it.',
  });
}

export default function CookiesPage() {
  return (
    <DocumentFrame
      title="Cookie Policy"
      dated={policyDate}
      lead="Every cookie and stored value of this site, what it is for, and how to refuse it. There is no banner because nothing is kept without need."
      sections={sections}
    />
  );
}

const sections: DocumentSection[] = [
  {
    id: 'choose',
    title: 'Your choice',
    body: (
      <>
        <p>
          Changes are saved automatically, in this browser only. The site asks them each time before
          it keeps or measures something that is not essential.
        </p>
        <CookieToggles />
      </>
    ),
  },
  {
    id: 'what',
    title: 'What a cookie is',
    body: (
      <p>
        A cookie is a short text that a site asks your browser to keep and send back. Browsers can
        also keep values that are never sent anywhere, called local storage. We use both sparingly
        and name them all here.
      </p>
    ),
  },
  {
    id: 'list',
    title: 'What this site keeps',
    body: (
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Where, how long</th>
            <th scope="col">What for</th>
          </tr>
        </thead>
        <tbody>
          {keptValues.map(({ name, where, what }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{where}</td>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    ),
  },
  {
    id: 'not',
    title: 'What it does not keep',
    body: (
      <p>
        No advertising cookies, no identifiers that follow you from page to page, and no analytics
        of any outside service. How often a deal’s link is followed is counted by deal and day, on
        our server, without a cookie and without your address.
      </p>
    ),
  },
  {
    id: 'others',
    title: 'Cookies of others',
    body: (
      <p>
        When you follow a deal, the store’s website may set its own cookies, among them one that
        credits us with a commission. They are the store’s, and its policy applies. Where a form’s
        human check is done by an outside provider, the form names it, and it may keep what the
        check needs.
      </p>
    ),
  },
  {
    id: 'browser',
    title: 'Clearing and blocking',
    body: (
      <p>
        Your browser can delete or block all cookies and stored values. You then stay signed out,
        and the theme follows your system; everything else works. What we keep on the server is told
        in the <Link to="/privacy">Privacy Policy</Link>.
      </p>
    ),
  },
];

import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import type { Right } from '#app/features/accounts/policy.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/move-in-page';

export function loader({ context }: Route.LoaderArgs) {
  const { rights } = requireRight(context, 'newsletter.manage');
  return { kinds: kinds.filter((kind) => kind.needs.every((right) => rights.has(right))) };
}

export const meta = titled('Move in');

/** The kinds of data to import, and the rights that each requires in addition to this page's. */
const kinds: { href: string; name: string; from: string; needs: Right[] }[] = [
  {
    href: '/admin/move-in/posts',
    name: 'Posts, pages, deals and coupons',
    from: 'a WordPress export',
    needs: ['blog.write', 'catalog.write'],
  },
  {
    href: '/admin/redirects/upload',
    name: 'Redirects',
    from: 'the WordPress plugins Redirection and Yoast SEO Premium, or any CSV',
    needs: ['catalog.write'],
  },
  {
    href: '/admin/move-in/subscribers',
    name: 'Subscribers',
    from: 'Mailchimp, MailPoet, Brevo, listmonk or any CSV',
    needs: [],
  },
  {
    href: '/admin/move-in/price-histories',
    name: 'Price histories',
    from: 'a CSV of another tracker, with date, price and source',
    needs: ['catalog.write'],
  },
];

export default function MoveInPage({ loaderData }: Route.ComponentProps) {
  return (
    <div className="column gap-8">
      <AdminHeading title="Move in" />
      <p>Bring your content and data from another site. You can preview each move and undo it.</p>
      <ul className="column gap-4">
        {loaderData.kinds.map(({ href, name, from }) => (
          <li key={href}>
            <Link to={href}>{name}</Link> from {from}
          </li>
        ))}
      </ul>
    </div>
  );
}

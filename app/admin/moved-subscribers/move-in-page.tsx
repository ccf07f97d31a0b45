import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/move-in-page';

export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.manage');
  return null;
}

export const meta = titled('Move in');

/** The kinds of things that can be brought along. */
const kinds = [
  {
    href: '/admin/move-in/subscribers',
    name: 'Subscribers',
    from: 'Mailchimp, MailPoet, Brevo, listmonk or any CSV',
  },
];

export default function MoveInPage() {
  return (
    <div className="column gap-8">
      <AdminHeading title="Move in" />
      <p>Bring along what you have elsewhere. You see a preview first, and can undo each move.</p>
      <ul className="column gap-4">
        {kinds.map(({ href, name, from }) => (
          <li key={href}>
            <Link to={href}>{name}</Link> from {from}
          </li>
        ))}
      </ul>
    </div>
  );
}

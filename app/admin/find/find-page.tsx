import { cleanSearchText } from '#app/features/deals/deal-list-input.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { Button } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { titled } from '../frame/titled.ts';
import type { Route } from './+types/find-page';
import { findAnything } from './find-anything.server.ts';
import styles from './find.module.css';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { rights } = requireRight(context, 'admin.open');
  const { db } = appServices(context);
  const text = cleanSearchText(new URL(request.url).searchParams.get('q') ?? '');
  return { text, groups: await findAnything(db, { text, rights }) };
}

export const meta = titled('Find');

/** The results without JavaScript. With it, a dialog shows them over every screen. */
export default function FindPage({ loaderData: { text, groups } }: Route.ComponentProps) {
  return (
    <>
      <AdminHeading title="Find">Deals, merchants, posts, users, settings and actions</AdminHeading>
      <form action="/admin/find" className={`row gap-2 below-5 ${styles.ask}`} key={text}>
        <TextField label="Find" type="search" name="q" defaultValue={text} maxLength={100} />
        <Button type="submit" variant="primary">
          Find
        </Button>
      </form>
      {groups.length === 0 ? <p>{`Nothing matches “${text}”.`}</p> : null}
      {groups.map(({ title, found }) => (
        <section key={title} aria-label={title} className="below-5">
          <h2>{title}</h2>
          <ul className={styles.list}>
            {found.map(({ name, detail, href }) => (
              <li key={`${href} ${name}`}>
                <Link to={href as '/admin'} className={styles.found}>
                  <span>{name}</span>
                  <small>{detail}</small>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

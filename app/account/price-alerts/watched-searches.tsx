import { newSince } from '#app/features/watched-searches/new-since.ts';
import { cadenceLabels } from '#app/features/watched-searches/watch-cadence.ts';
import type { WatchedSearch } from '#app/features/watched-searches/watched-search-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import styles from './price-alerts-page.module.css';

/** The watched searches of one owner, shown below their price alerts. */
export function WatchedSearches({
  searches,
  listPath,
  now,
}: {
  searches: WatchedSearch[];
  listPath: string;
  now: Date;
}) {
  const { timeZone } = useSite();
  return (
    <section id="searches" className={styles.searches} aria-labelledby="searches-title">
      <h2 id="searches-title">Watched searches</h2>
      {searches.length === 0 ? (
        <p className="small">
          Press “Watch this list” beside any list or search, and we’ll email you what is new in it.{' '}
          <Link to="/deals">All deals</Link>
        </p>
      ) : (
        <ul>
          {searches.map((search) => (
            <li key={search.id} data-key={search.id}>
              <div>
                <Link to={search.address}>{search.name}</Link>
                <p className="small">
                  {search.is_active ? cadenceLabels[search.cadence] : 'Stopped'}
                  {search.unseen > 0 ? ` · ${newSince(search, now, timeZone)}` : ''}
                </p>
                {search.unseen > 0 ? (
                  // A plain browser form, since it redirects to a visitor page.
                  <form method="post" action={listPath}>
                    <HiddenFields fields={{ intent: 'seen-search', id: search.id }} />
                    <Button type="submit" aria-label={`See what is new: ${search.name}`}>
                      See what is new
                    </Button>
                  </form>
                ) : null}
              </div>
              <SearchActs search={search} listPath={listPath} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function SearchActs({ search, listPath }: { search: WatchedSearch; listPath: string }) {
  const { id, name, address, is_active } = search;
  // Passes on the token if an emailed link opened the list.
  const link = new URLSearchParams(listPath.split('?')[1]);
  link.set('of', address);
  const change = `/price-alerts/searches/new?${link}`;
  return (
    <form
      method="post"
      action={listPath}
      className={`stack gap-2 ${styles.actions}`}
      data-in-place=""
    >
      <HiddenFields fields={{ id }} />
      {is_active ? (
        <Button
          type="submit"
          name="intent"
          value="stop-search"
          aria-label={`Stop watching: ${name}`}
        >
          Stop
        </Button>
      ) : null}
      <ButtonLink to={change} aria-label={`Change: ${name}`}>
        {is_active ? 'Change' : 'Watch again'}
      </ButtonLink>
      <Button
        type="submit"
        name="intent"
        value="delete-search"
        aria-label={`Delete watched search: ${name}`}
      >
        Delete
      </Button>
    </form>
  );
}

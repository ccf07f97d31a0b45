import { type ListAddress, listHref } from '#app/features/deals/deal-list-address.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import { newSince } from './new-since.ts';
import { watchedAddress } from './watched-address.ts';
import { useWatchOf } from './watches-context.tsx';
import styles from './watch-search.module.css';

/** Shown beside a list: a link to watch it, or the number of new deals since the last visit. */
export function WatchSearch({ list, now }: { list: ListAddress; now: Date }) {
  const address = watchedAddress(listHref(list));
  const watched = useWatchOf(address);
  const { timeZone } = useSite();
  const way = `/price-alerts/searches/new?${new URLSearchParams({ of: address })}`;
  return (
    <div className={styles.watch}>
      <Icon name="bell" size={16} />
      {watched && watched.unseen > 0 ? (
        <form method="post" action="/price-alerts">
          <input type="hidden" name="intent" value="seen-search" />
          <input type="hidden" name="id" value={watched.id} />
          <strong>{newSince(watched, now, timeZone)}</strong>{' '}
          <button type="submit">Mark as seen</button>
        </form>
      ) : null}
      <Link to={way} rel="nofollow">
        {watched ? (watched.is_active ? 'You watch this' : 'You watched this') : 'Watch this list'}
      </Link>
    </div>
  );
}

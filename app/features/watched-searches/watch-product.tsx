import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import { useWatchOf } from './watches-context.tsx';
import styles from './watch-search.module.css';

/** Shown on a product's page: a link to be notified when the price falls at any store. */
export function WatchProduct({ slug }: { slug: string }) {
  const address = `/products/${slug}`;
  const watched = useWatchOf(address);
  return (
    <p className={styles.watch}>
      <Icon name="bell" size={16} />
      <Link
        to={`/price-alerts/searches/new?${new URLSearchParams({ of: address })}`}
        rel="nofollow"
      >
        {watched
          ? `You ${watched.is_active ? 'watch' : 'watched'} this at any store`
          : 'Email me when the price falls at any store'}
      </Link>
    </p>
  );
}

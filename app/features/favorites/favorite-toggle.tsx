import { useLocation } from 'react-router';
import { buttonClass } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useIsFavorite } from './favorites-context.tsx';
import styles from './favorite-toggle.module.css';

interface FavoriteToggleProps {
  deal: { id: number; title: string };
  hasLabel?: boolean;
}

/**
 * Renders the heart. `turn-heart.ts` changes it immediately, and reverts it with a message if the
 * server rejects the change. Without JavaScript, the heart is a plain form that returns to this
 * page, or to the favorites page with an error.
 */
export function FavoriteToggle({ deal, hasLabel }: FavoriteToggleProps) {
  const { pathname, search } = useLocation();
  const isFavorite = useIsFavorite(deal.id);
  const want = isFavorite ? 'unset' : 'set';
  return (
    <form method="post" action="/favorites" className={styles.form} data-favorite={deal.id}>
      <input type="hidden" name="deal_id" value={deal.id} />
      <input type="hidden" name="want" value={want} />
      <input type="hidden" name="return_to" value={pathname + search} />
      <button
        type="submit"
        className={
          hasLabel
            ? buttonClass({ variant: 'secondary' })
            : buttonClass({ isIcon: true }, styles.round)
        }
        aria-pressed={isFavorite}
        {...(hasLabel ? {} : { 'aria-label': `Favorite: ${deal.title}` })}
      >
        <span className={styles.heart}>
          <Icon name="heart" size={18} />
        </span>
        {hasLabel ? (
          <span data-off="Favorite" data-on="Favorited">
            {isFavorite ? 'Favorited' : 'Favorite'}
          </span>
        ) : null}
      </button>
    </form>
  );
}

import { useEffect } from 'react';
import { useFetcher, useLocation } from 'react-router';
import { buttonClass } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { showToast } from '#app/ui/show-toast.ts';
import { favoriteMessages } from './favorite-messages.ts';
import { useIsFavorite } from './favorites-context.tsx';
import styles from './favorite-toggle.module.css';

interface FavoriteToggleProps {
  deal: { id: number; title: string };
  hasLabel?: boolean;
}

/**
 * The heart. It changes at once, and back with a message when the server refuses. Without scripts it is a plain form
 * that comes back to this page, or explains on the favorites page why not.
 */
export function FavoriteToggle({ deal, hasLabel }: FavoriteToggleProps) {
  const fetcher = useFetcher<{ ok: boolean; message?: string }>({ key: `favorite-${deal.id}` });
  const { pathname, search } = useLocation();
  const isKept = useIsFavorite(deal.id);
  const wish = fetcher.formData?.get('want');
  const isFavorite = wish ? wish === 'set' : isKept;
  const isBusy = fetcher.state !== 'idle';
  // Not only once all is read anew: without a session the heart is gone by then, and its word with it.
  const answer = fetcher.state === 'submitting' ? undefined : fetcher.data;

  useEffect(() => {
    if (answer && !answer.ok) {
      showToast(answer.message ?? favoriteMessages.failed, { kind: 'error' });
    }
  }, [answer]);

  const want = isFavorite ? 'unset' : 'set';
  return (
    <form
      method="post"
      action="/favorites"
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isBusy) return;
        void fetcher.submit(
          { deal_id: String(deal.id), want },
          { method: 'post', action: '/api/favorites' },
        );
      }}
    >
      <input type="hidden" name="deal_id" value={deal.id} />
      <input type="hidden" name="want" value={want} />
      <input type="hidden" name="return_to" value={pathname + search} />
      <button
        type="submit"
        className={
          hasLabel
            ? buttonClass({ look: 'secondary' })
            : buttonClass({ isIcon: true }, styles.round)
        }
        aria-pressed={isFavorite}
        aria-busy={isBusy || undefined}
        disabled={isBusy}
        {...(hasLabel ? {} : { 'aria-label': `Favorite: ${deal.title}` })}
      >
        <span className={styles.heart} data-on={isFavorite || undefined}>
          <Icon name="heart" size={18} />
        </span>
        {hasLabel ? (isFavorite ? 'Favorited' : 'Favorite') : null}
      </button>
    </form>
  );
}

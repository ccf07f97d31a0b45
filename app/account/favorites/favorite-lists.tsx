import { favoriteListMessages } from '#app/features/favorites/favorite-list-messages.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { HiddenFields, PostButton } from '#app/ui/act-form.tsx';
import { Button, ButtonLink, buttonClass, PrimaryLink } from '#app/ui/button.tsx';
import { ChipLink } from '#app/ui/chip.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { LineIcon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { favoritesPath } from './favorites-address.ts';
import styles from './favorite-lists.module.css';
import type { OwnLists } from './read-own-lists.server.ts';

/** The user's lists as chips, the buttons of the shown list, and the notice of the last change. */
export function FavoriteLists({ own }: { own: OwnLists }) {
  const { lists, list, view, notice } = own;
  return (
    <>
      <nav aria-label="Your lists" className={styles.lists}>
        <ChipLink to={favoritesPath({ sort: view.sort })} isCurrent={view.list === null}>
          All favorites
        </ChipLink>
        {lists.map(({ id, name, deals }) => (
          <ChipLink
            key={id}
            to={favoritesPath({ list: id, sort: view.sort })}
            isCurrent={id === list?.id}
          >
            {`${name} ${deals.toLocaleString('en-US')}`}
          </ChipLink>
        ))}
        <ButtonLink to={favoritesPath(view, { new: '' })} swap="push" variant="quiet">
          New list
        </ButtonLink>
      </nav>
      <div className={styles.notice}>
        <FormNotice text={notice?.text} kind="success" />
        {notice ? (
          <form method="post" action={favoritesPath(view)} data-in-place="">
            <HiddenFields fields={{ return_to: favoritesPath(view), ...notice.undo }} />
            <Button type="submit">Undo</Button>
          </form>
        ) : null}
      </div>
      {list ? (
        <div className={styles.head}>
          <h2>{list.name}</h2>
          <div className="row gap-2">
            <ButtonLink to={favoritesPath(view, { share: '' })} swap="push">
              {list.isShared ? 'Shared by link' : 'Share this list'}
            </ButtonLink>
            <ButtonLink to={favoritesPath(view, { rename: '' })} swap="push">
              Rename
            </ButtonLink>
            <PostButton
              fields={{ intent: 'delete-list', id: list.id }}
              form={{ action: '/favorites' }}
              variant="remove"
            >
              Delete
            </PostButton>
          </div>
        </div>
      ) : null}
    </>
  );
}

/** Returns the number of shown deals as text. All favorites have the specification's text. */
export function describeTotal(total: number, { list }: OwnLists): string {
  return list ? countNoun(total, 'deal') : `${total} Favorite${total === 1 ? '' : 's'}`;
}

/** Shown instead of deals if the list is empty or does not exist. */
export function EmptyList({ exists }: { exists: boolean }) {
  return (
    <MessagePanel
      icon="heart"
      title={exists ? 'This List Is Empty' : 'List Not Found'}
      actions={<PrimaryLink to="/favorites">All Favorites</PrimaryLink>}
    >
      {exists
        ? 'Press “Add to list” on one of your favorites to put it here.'
        : favoriteListMessages.gone}
    </MessagePanel>
  );
}

const lines = 'M4 6.5h14M4 12h8M4 17.5h8';

/** A card's list button: removes the deal from the shown list, or opens the dialog of lists. */
export function ListButton({ deal, own }: { deal: { id: number; title: string }; own: OwnLists }) {
  const { list, view } = own;
  const look = buttonClass({ isIcon: true }, styles.round);
  if (!list) {
    return (
      <Link
        to={favoritesPath(view, { place: deal.id })}
        swap="push"
        className={look}
        aria-label={`Add to list: ${deal.title}`}
      >
        <LineIcon path={`${lines}M17.5 11.5v7M14 15h7`} size={18} />
      </Link>
    );
  }
  return (
    <form method="post" action={favoritesPath(view)} data-in-place="">
      <HiddenFields fields={{ intent: 'remove-from-list', id: list.id, deal_id: deal.id }} />
      <button type="submit" className={look} aria-label={`Remove from ${list.name}: ${deal.title}`}>
        <LineIcon path={`${lines}M14 15h7`} size={18} />
      </button>
    </form>
  );
}

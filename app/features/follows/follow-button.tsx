import { useLocation } from 'react-router';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { buttonClass } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { type FollowTarget, targetText } from './follow-target.ts';
import { useIsFollowed } from './follows-context.tsx';
import styles from './follow-button.module.css';

/**
 * Renders a plain form that follows or unfollows, and returns to this page. Signed-out visitors
 * sign in first.
 */
export function FollowButton({
  target,
  name,
  hasName,
  at = '',
}: {
  target: FollowTarget;
  /** The name of the store, category or brand. */
  name: string;
  /** Whether to show the name, for pages that are not about it. */
  hasName?: boolean;
  /** The part of the page to return to, such as `#facts`. */
  at?: `#${string}` | '';
}) {
  const { pathname, search } = useLocation();
  const isFollowed = useIsFollowed(target);
  const fields = {
    intent: isFollowed ? 'unfollow' : 'follow',
    follow: targetText(target),
    return_to: pathname + search + at,
  };
  return (
    <form method="post" action="/for-you" className={styles.form}>
      <HiddenFields fields={fields} />
      <button
        type="submit"
        className={buttonClass({ variant: 'secondary' }, styles.button)}
        aria-pressed={isFollowed}
      >
        <Icon name={isFollowed ? 'check' : 'plus'} size={16} />
        <span>
          {isFollowed ? 'Following' : 'Follow'}
          <span className={hasName ? undefined : 'visually-hidden'}> {name}</span>
        </span>
      </button>
    </form>
  );
}

import type { Follow, Popular } from '#app/features/follows/follow-queries.server.ts';
import { targetText } from '#app/features/follows/follow-target.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import type { Suspension } from '#app/platform/mail/suspension-queries.server.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import { SendLinkAgain } from '../send-link-again.tsx';
import { SuspendedAddressNotice } from '../suspended-address-notice.tsx';
import styles from './for-you-page.module.css';

/**
 * The address that all forms post to. A later page of deals may be gone after an unfollow, and its
 * redirect would lose Undo.
 */
export const forYouPath = '/for-you';

/**
 * Shows what was unfollowed, with Undo, over the foot of the page. Works without JavaScript. The
 * region always exists, so that it is announced.
 */
export function UndoNotice({ text, undo }: { text: string | null; undo: string[] }) {
  return (
    <div role="status">
      {text === null ? null : (
        <form method="post" action={forYouPath} data-in-place="" className={styles.toast}>
          <p>{text}</p>
          <input type="hidden" name="intent" value="follow" />
          {undo.map((target) => (
            <input key={target} type="hidden" name="follow" value={target} />
          ))}
          <button type="submit">Undo</button>
        </form>
      )}
    </div>
  );
}

const groups = [
  { kind: 'merchant', title: 'Stores' },
  { kind: 'category', title: 'Categories' },
  { kind: 'brand', title: 'Brands' },
] as const;

/** Lists what the user follows. */
export function Following({ follows }: { follows: Follow[] }) {
  return (
    <section id="following" className={styles.section} aria-labelledby="following-title">
      <h2 id="following-title">What you follow</h2>
      <p className="readable">
        This list is all we know about your interests. What you view, search for or click never
        changes it, and what you unfollow is deleted.
      </p>
      {follows.length === 0 ? <p className="small">You don’t follow anything yet.</p> : null}
      {groups.map(({ kind, title }) => {
        const some = follows.filter(({ target }) => target.kind === kind);
        if (some.length === 0) return null;
        return (
          <div key={kind}>
            <h3>{title}</h3>
            <ul className={styles.followed}>
              {some.map((one) => (
                <Followed key={targetText(one.target)} follow={one} />
              ))}
            </ul>
          </div>
        );
      })}
      {follows.length > 1 ? (
        <form method="post" action={forYouPath} data-in-place="">
          <Button type="submit" name="intent" value="stop-all">
            Stop following everything
          </Button>
        </form>
      ) : null}
    </section>
  );
}

function Followed({ follow: { target, name, slug, dealCount } }: { follow: Follow }) {
  return (
    <li data-key={targetText(target)}>
      <span>
        {target.kind === 'merchant' ? <Link to={`/merchants/${slug}`}>{name}</Link> : null}
        {target.kind === 'category' ? <Link to={`/categories/${slug}`}>{name}</Link> : null}
        {target.kind === 'brand' ? (
          <Link to={`/deals?${new URLSearchParams({ brand: name })}`}>{name}</Link>
        ) : null}
        {dealCount === null ? null : <small>{countNoun(dealCount, 'deal')}</small>}
      </span>
      <form method="post" action={forYouPath} data-in-place="">
        <HiddenFields fields={{ intent: 'unfollow', follow: targetText(target) }} />
        <Button type="submit" variant="quiet" aria-label={`Unfollow ${name}`}>
          Unfollow
        </Button>
      </form>
    </li>
  );
}

/** Suggests what to follow, with one button each, to a user who follows nothing. */
export function PopularToFollow({ popular }: { popular: Popular[] }) {
  return (
    <section className={styles.begin} aria-labelledby="begin">
      <h2 id="begin">Follow something to get started</h2>
      <p className="readable">
        Press “Follow” on a store or category page or beside a deal’s brand, or choose here:
      </p>
      {groups.map(({ kind, title }) => {
        const some = popular.filter((one) => one.kind === kind);
        if (some.length === 0) return null;
        return (
          <div key={kind}>
            <h3>{`Popular ${title.toLowerCase()}`}</h3>
            <ul className={styles.popular}>
              {some.map(({ target, name }) => (
                <li key={target}>
                  <form method="post" action={forYouPath} data-in-place="">
                    <HiddenFields fields={{ intent: 'follow', follow: target }} />
                    <Button type="submit" aria-label={`Follow ${name}`}>
                      <Icon name="plus" size={16} />
                      {name}
                    </Button>
                  </form>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </section>
  );
}

/** The checkbox for the weekly email, with the reasons why it is not sent. */
export function WeeklySwitch({
  isWeekly,
  isSaved,
  isVerified,
  suspension,
}: {
  isWeekly: boolean;
  isSaved: boolean;
  isVerified: boolean;
  suspension: Pick<Suspension, 'reason'> | null;
}) {
  return (
    <section className={styles.section} aria-labelledby="weekly">
      <h2 id="weekly">Weekly email</h2>
      <form method="post" action={forYouPath} data-in-place="" className={styles.weekly}>
        <input type="hidden" name="intent" value="weekly" />
        <label>
          <input type="checkbox" name="weekly" defaultChecked={isWeekly} />
          Email me once a week
        </label>
        <Button type="submit">Save</Button>
        <span role="status">{isSaved ? 'Saved' : ''}</span>
      </form>
      <p className="small">
        Up to 12 of the best new deals from what you follow. You get no email in weeks without any.
      </p>
      {isVerified ? null : (
        <div className={styles.undo}>
          <p>This email is not sent until you verify your email address.</p>
          <SendLinkAgain />
        </div>
      )}
      {isVerified && suspension ? (
        <div className={styles.undo}>
          <SuspendedAddressNotice reason={suspension.reason} />
        </div>
      ) : null}
    </section>
  );
}

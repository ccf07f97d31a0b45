import type { Post } from '#app/platform/read-post.server.ts';
import { followMessages, mostFollows } from '#app/features/follows/follow-messages.ts';
import { listFollows, setMailedWeekly } from '#app/features/follows/follow-queries.server.ts';
import { parseTarget, targetKey, targetText } from '#app/features/follows/follow-target.ts';
import { follow, unfollow, unfollowAll } from '#app/features/follows/set-follow.server.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';

/** The outcome of a post to `/for-you`. */
export interface FollowsAnswer {
  error: string | null;
  /** The change as a sentence, shown over the page. */
  done: string | null;
  /** The targets that Undo follows again. */
  undo: string[];
  isSaved?: boolean;
}

export interface AnsweredFollows {
  answer: FollowsAnswer;
  status: number;
  headers?: HeadersInit;
}

/**
 * Handles the forms of follow buttons and of `/for-you`. `intent` is `follow`, `unfollow`,
 * `stop-all` or `weekly`. `follow` names the target; an undo may send several.
 */
export async function changeFollows(post: Post, userId: string): Promise<AnsweredFollows> {
  const { services, db, form, intent } = post;
  const limited = await limit(services, 'member-write', userId);
  if (!limited.ok) return refuse(tooManyAttempts, 429, retryAfter(limited));
  if (intent === 'weekly') {
    await setMailedWeekly(db, userId, form.get('weekly') !== null);
    return done({ isSaved: true });
  }
  if (intent === 'stop-all') {
    const undo = (await listFollows(db, userId)).map(({ target }) => targetText(target));
    await unfollowAll(db, userId);
    return done({ done: 'You no longer follow anything.', undo });
  }
  const targets = form
    .getAll('follow')
    .slice(0, mostFollows)
    .map((text) => (typeof text === 'string' ? parseTarget(text) : null));
  const [first] = targets;
  const known = targets.filter((target) => target !== null);
  if (!first || known.length < targets.length) return refuse(followMessages.gone, 422);
  if (intent === 'unfollow') {
    const own = await listFollows(db, userId);
    const one = own.find(({ target }) => targetKey(target) === targetKey(first));
    await unfollow(db, userId, first);
    if (!one) return done({});
    return done({ done: `You no longer follow ${one.name}.`, undo: [targetText(one.target)] });
  }
  const outcome = await follow(db, userId, known);
  return outcome.ok ? done({}) : refuse(outcome.message, outcome.status);
}

function done(answer: Partial<FollowsAnswer>): AnsweredFollows {
  return { answer: { error: null, done: null, undo: [], ...answer }, status: 200 };
}

function refuse(error: string, status: number, headers: HeadersInit = {}): AnsweredFollows {
  return { answer: { error, done: null, undo: [] }, status, headers };
}

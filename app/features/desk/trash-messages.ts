import { countNoun } from '#app/platform/count-noun.ts';
import { countChanged } from '#app/platform/count-changed.ts';
import { failureWords } from '#app/features/deals/deal-messages.ts';
import type { RestoreFailureReason, TrashOutcome } from './restore-from-trash.server.ts';

/** Messages of the trash. */
export const trashMessages = {
  purgeQuestion: 'Delete this for good?',
  gone: 'This is no longer in the trash.',
  purged: (count: number) => `Deleted ${countNoun(count, 'item')} for good.`,
  nothingSelected: 'Select at least one item first.',
  tooMany: (most: number) =>
    `Select at most ${most} to restore. “Restore the whole deletion” in a deal’s menu restores more.`,
  countChanged: countChanged('items'),
} as const;

const reasons: Record<RestoreFailureReason, string> = {
  ...failureWords,
  taken: 'another item uses its code or address',
  'there-again': 'it exists already',
};

/** Returns, for example, `“Lamp” is restored. Its URL was taken, so it is /deals/lamp-2 now.` */
export function describeRestore({ restored, failures }: TrashOutcome): string {
  const [first] = restored;
  const done =
    restored.length === 1 && first
      ? [`“${first.name}” is restored.`]
      : restored.length > 1
        ? [`Restored ${countNoun(restored.length, 'item')}.`]
        : [];
  const moved = restored.flatMap(({ name, movedTo }) =>
    movedTo === null ? [] : [`The address of “${name}” was taken, so it is ${movedTo} now.`],
  );
  const failed = failures.map(({ name, reason }) => `“${name}” stays here: ${reasons[reason]}.`);
  const paused = [
    { kind: 'feed-source', words: 'Restored feed sources are inactive.' },
    { kind: 'channel', words: 'Restored channels are turned off.' },
  ].flatMap(({ kind, words }) => (restored.some(({ entity }) => entity === kind) ? [words] : []));
  return [...done, ...paused, ...shorten(moved), ...shorten(failed)].join(' ');
}

const mostNamed = 3;

function shorten(sentences: readonly string[]): string[] {
  const more = sentences.length - mostNamed;
  return more > 0
    ? [...sentences.slice(0, mostNamed), `The same applies to ${more} more.`]
    : [...sentences];
}

const insideWords: readonly (readonly [table: string, one: string, many: string])[] = [
  ['coupons', 'coupon', 'coupons'],
  ['slots', 'ad', 'ads'],
  ['feed_sources', 'feed source', 'feed sources'],
  ['channel_posts', 'post', 'posts'],
  ['price_log', 'price', 'prices'],
  ['user_favorites', 'favorite', 'favorites'],
  ['follows', 'follower', 'followers'],
  ['price_alerts', 'alert', 'alerts'],
  ['watched_searches', 'watched search', 'watched searches'],
  ['deal_reports', 'report', 'reports'],
];

/** Returns, for example, `12 prices, 3 alerts`. */
export function describeInside(inside: Record<string, number>): string {
  return insideWords
    .flatMap(([table, one, many]) => {
      const count = inside[table] ?? 0;
      return count > 0 ? [countNoun(count, one, many)] : [];
    })
    .join(', ');
}

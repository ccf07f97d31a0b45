import { fold } from '#app/platform/fold.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';

/** A store, category or brand. Brands are compared by name, ignoring case and accents. */
export type FollowTarget =
  | { kind: 'merchant' | 'category'; id: number }
  | { kind: 'brand'; name: string };

/** Returns a target in the format that forms post: `merchant:3`, `category:7` or `brand:Lumo`. */
export function targetText(target: FollowTarget): string {
  return `${target.kind}:${target.kind === 'brand' ? target.name : target.id}`;
}

/** Returns a key that is equal for equal targets. */
export function targetKey(target: FollowTarget): string {
  return target.kind === 'brand' ? `brand:${fold(target.name)}` : targetText(target);
}

/** Parses a posted target. Returns `null` if the text is invalid. No column accepts NUL. */
export function parseTarget(text: string): FollowTarget | null {
  const [, kind, rest = ''] = /^(merchant|category|brand):([^\0]{1,300})$/.exec(text) ?? [];
  if (kind === 'brand') return fold(rest) === '' ? null : { kind, name: rest };
  const id = parseRowId(rest);
  return id !== null && (kind === 'merchant' || kind === 'category') ? { kind, id } : null;
}

import { z } from 'zod';
import { isPathPattern, longestAddress, pathOfTyped } from './redirect-rules.ts';

const wrongStar = 'Use * once, after the last slash: /old/*';

const fromPath = z
  .string()
  .trim()
  .min(1, 'The old address is required')
  .max(2_048, 'This address is too long')
  .transform((typed, context) => {
    const path = pathOfTyped(typed);
    const problem =
      path === null
        ? `Must be a path such as /old-page, with at most ${longestAddress} characters`
        : path === '/'
          ? 'The homepage cannot be redirected'
          : !isPathPattern(path) && wrongStar;
    if (path !== null && !problem) return path;
    context.addIssue({ code: 'custom', message: problem || wrongStar });
    return z.NEVER;
  });

const target = z
  .string()
  .trim()
  .max(2_048, 'This address is too long')
  .transform((typed, context) => {
    if (typed === '') return null;
    const stars = typed.split('*').length - 1;
    if (isTarget(typed) && stars < 2) return typed;
    const message =
      stars > 1 ? 'Use * once' : 'Must be a path such as /new-page or a URL with https://';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** Parses a redirect from its form or a row of a file. */
export const redirectInput = z
  .object({
    from_path: fromPath,
    target: target.default(null),
    status: z.enum(['301', '302', '410'], 'Must be 301, 302 or 410').default('301'),
  })
  .transform(({ status, ...redirect }) => ({ ...redirect, status: Number(status) }))
  .superRefine(({ from_path: from, target: to, status }, context) => {
    const message =
      status === 410 && to !== null
        ? 'Leave this blank: a page that is gone has no new address'
        : status !== 410 && to === null
          ? 'The new address is required'
          : to?.includes('*') && !from.endsWith('*') && 'Use * here only if the old address has it';
    if (message) context.addIssue({ code: 'custom', path: ['target'], message });
  });

export type RedirectInput = z.output<typeof redirectInput>;

/** Returns whether the text is a path of this site or a URL whose host has no `*`. */
function isTarget(typed: string): boolean {
  if (/[\p{Cc}\\\s]/u.test(typed)) return false;
  if (typed.startsWith('/')) return !typed.startsWith('//') && pathOfTyped(typed) !== null;
  try {
    const { protocol, host, username } = new URL(typed);
    return /^https?:$/.test(protocol) && !host.includes('*') && username === '';
  } catch {
    return false;
  }
}

import { z } from 'zod';
import { text } from '#app/platform/input-fields.ts';
import { safeUrl } from '#app/platform/safe-url.ts';
import { longestLabel, menuNames } from './menus.ts';

const wrongAddress = 'Must be a path such as /shipping or a URL with https://';

/** Returns a typed address as it is stored, or `null`. Browsers read `\\` in a path as `/`. */
export function menuHref(typed: string): string | null {
  if (typed.length > 2_048 || /[\p{Cc}\s\\]/u.test(typed)) return null;
  if (!typed.startsWith('/')) return safeUrl(typed);
  return typed.startsWith('//') ? null : typed;
}

const own = z
  .string()
  .trim()
  .transform((typed, context) => {
    const href = typed === '' ? '' : menuHref(typed);
    if (href !== null) return href;
    context.addIssue({ code: 'custom', message: wrongAddress });
    return z.NEVER;
  })
  .prefault('');

/** Parses a new entry of a menu: a listed page or a custom address, and its label. */
export const menuInput = z
  .object({
    menu: z.enum(menuNames, 'Choose a menu'),
    listed: own,
    href: own,
    label: text(longestLabel).pipe(z.string().min(1, 'Label is required')).prefault(''),
  })
  .transform(({ listed, href, ...rest }, context) => {
    const both = listed !== '' && href !== '';
    if (both || (listed === '' && href === '')) {
      const message = both
        ? 'Leave this blank, or choose no page above'
        : 'Choose a page above or enter an address';
      context.addIssue({ code: 'custom', path: ['href'], message });
      return z.NEVER;
    }
    return { ...rest, href: listed || href };
  });

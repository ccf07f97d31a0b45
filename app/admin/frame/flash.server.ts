import { randomUUID } from 'node:crypto';
import { redirect } from 'react-router';
import { z } from 'zod';
import {
  cookieName,
  readCookie,
  writeCookie,
} from '#app/features/accounts/sessions/session-cookie.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { askedAddress } from '#app/platform/asked-address.ts';
import type { Context } from './read-or-say.server.ts';
import { parseJson } from '#app/platform/parse-json.ts';

const secondsKept = 60;
const flash = z.object({
  /** New for each, so that the same words twice are said twice. */
  id: z.string(),
  text: z.string(),
  kind: z.enum(['info', 'error']),
  /** The address it is said at, without its search. */
  at: z.string(),
  /** Takes the act back, while it can be taken back: what pressing its button sends. */
  undo: z
    .object({
      label: z.string(),
      action: z.string().regex(/^\/admin\//),
      fields: z.record(z.string(), z.string()),
    })
    .optional(),
});

/** What the page after a redirect says once: the outcome of the form before it. */
export type Flash = z.infer<typeof flash>;

/** Post, redirect, get: the next page says `text` once. A reload of it repeats nothing. */
export function redirectWithFlash(
  context: Context,
  path: string,
  text: string,
  { kind = 'info', undo }: Partial<Pick<Flash, 'kind' | 'undo'>> = {},
) {
  const { env } = appServices(context);
  const at = new URL(path, env.origin).pathname;
  const value: Flash = { id: randomUUID(), text, kind, at, undo };
  const encoded = Buffer.from(JSON.stringify(value)).toString('base64url');
  return redirect(path, {
    headers: {
      'set-cookie': writeCookie('flash', encoded, { origin: env.origin, seconds: secondsKept }),
    },
  });
}

/** The same, where it did not work out. */
export function redirectWithError(context: Context, path: string, text: string) {
  return redirectWithFlash(context, path, text, { kind: 'error' });
}

/** What the form before had to say, and the line that forgets it. */
export function takeFlash(
  request: Request,
  context: Context,
): { flash: Flash; forget: string } | null {
  const { origin } = appServices(context).env;
  const encoded = readCookie(request, cookieName('flash', origin));
  if (encoded === null) return null;
  const read = flash.safeParse(parseJson(Buffer.from(encoded, 'base64url').toString()));
  if (!read.success) return null;
  return { flash: read.data, forget: writeCookie('flash', '', { origin, seconds: 0 }) };
}

/** The address a form was sent from: the same list, search and page. Only ever one of the back office. */
export function listAddress(request: Request): string {
  const { pathname, search } = askedAddress(request);
  return `${pathname}${search}`;
}

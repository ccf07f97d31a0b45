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
import type { Context } from './read-or-fail.server.ts';
import { parseJson } from '#app/platform/parse-json.ts';

const secondsShown = 60;
const flash = z.object({
  /** A unique id, so that the same message can appear twice. */
  id: z.string(),
  text: z.string(),
  kind: z.enum(['info', 'error']),
  /** The path that shows the message, without its search. */
  at: z.string(),
  /** The form that undoes the action, while that is possible. */
  undo: z
    .object({
      label: z.string(),
      action: z.string().regex(/^\/admin\//),
      fields: z.record(z.string(), z.string()),
    })
    .optional(),
});

/** A message that the page after a redirect shows once. */
export type Flash = z.infer<typeof flash>;

/** Redirects after a post. The next page shows `text` once, and a reload repeats nothing. */
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
      'set-cookie': writeCookie('flash', encoded, { origin: env.origin, seconds: secondsShown }),
    },
  });
}

/** Redirects after a failed post. The next page shows `text` once as an error. */
export function redirectWithError(context: Context, path: string, text: string) {
  return redirectWithFlash(context, path, text, { kind: 'error' });
}

/** Returns the flash message and the header that clears it. */
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

/** Returns the admin URL from which the form was sent, with the list's search and page. */
export function listAddress(request: Request): string {
  const { pathname, search } = askedAddress(request);
  return `${pathname}${search}`;
}

import { randomUUID } from 'node:crypto';
import { redirect, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import {
  cookieName,
  readCookie,
  writeCookie,
} from '#app/features/accounts/sessions/session-cookie.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import type { Flash } from './flash.ts';

type Context = Readonly<Pick<RouterContextProvider, 'get'>>;

const secondsKept = 60;
const flash = z.object({
  id: z.string(),
  text: z.string(),
  kind: z.enum(['info', 'error']),
  at: z.string(),
  undo: z
    .object({
      label: z.string(),
      action: z.string().regex(/^\/admin\//),
      fields: z.record(z.string(), z.string()),
    })
    .optional(),
});

/** Post, redirect, get: the next page says `text` once. A reload of it repeats nothing. */
export function redirectWithFlash(
  context: Context,
  path: string,
  text: string,
  { kind = 'info', undo }: Partial<Pick<Flash, 'kind' | 'undo'>> = {},
) {
  const { env } = appServices(context);
  const at = new URL(path, env.origin).pathname;
  const value: Flash = { id: randomUUID(), text, kind, at, ...(undo && { undo }) };
  const encoded = Buffer.from(JSON.stringify(value)).toString('base64url');
  return redirect(path, {
    headers: {
      'set-cookie': writeCookie('flash', encoded, { origin: env.origin, seconds: secondsKept }),
    },
  });
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
  const { undo, ...rest } = read.data;
  return {
    flash: { ...rest, ...(undo && { undo }) },
    forget: writeCookie('flash', '', { origin, seconds: 0 }),
  };
}

/** The address a form was sent from: the same list, search and page. Only ever one of the back office. */
export function listAddress(request: Request): string {
  const url = new URL(request.url);
  url.searchParams.delete('_routes');
  url.searchParams.delete('index');
  return `${url.pathname.replace(/\.data$/, '')}${url.search}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

import type { AppServices } from '#app/platform/app-context.server.ts';
import { stopMailPaths } from '#app/platform/mail/stop-token.server.ts';

/** Returns the address of the page that stops a channel, for each of its messages. */
export async function stopChannelLink(
  { db, env }: Pick<AppServices, 'db' | 'env'>,
  id: number,
): Promise<string> {
  const { stopPath } = await stopMailPaths(db, { what: 'channel', id: String(id) });
  return env.origin + stopPath;
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { fetchPictures } from '#app/features/pictures/fetch-pictures-job.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { safeFetch } from '#app/platform/safe-fetch.server.ts';
import type { Db } from '#database/connect.ts';

/**
 * A fake store with its pictures by path. Picture URLs use https, as required, but there is no
 * certificate: browsers find nothing there, and `copy` is redirected to the http server.
 */
export async function startPictureStore(read: (path: string) => Promise<Buffer | string | null>) {
  const server = createServer((request, response) => {
    void read(request.url ?? '').then((content) =>
      content === null ? response.writeHead(404).end() : response.end(content),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [origin, local] = [`https://127.0.0.1:${port}`, `http://127.0.0.1:${port}`];
  return {
    origin,
    /**
     * Copies pictures of deals in a shop, once this many have been shown. The shop's own job
     * rejects this server, and retries only after five minutes.
     */
    async copy(db: Db, dataFolder: string, count: number): Promise<void> {
      const env = readEnv({ DATA_DIR: dataFolder });
      const isOpen = sql`source like ${`${origin}/%`} and name is null and not is_refused`;
      for (;;) {
        const { rows } = await sql<{ known: number; open: number }>`
          select count(*) as known, count(*) filter (where ${isOpen}) as open
            from pictures where source like ${`${origin}/%`}`.execute(db);
        if ((rows[0]?.known ?? 0) >= count && rows[0]?.open === 0) return;
        await sql`update pictures set due_at = now(), attempts = 0 where ${isOpen}`.execute(db);
        await fetchPictures(
          { db, env, log: createLog('silent') },
          {
            rest: 0,
            fetch: (address, options) =>
              safeFetch(address.replace(origin, local), { ...options, allowPrivate: true }),
          },
        );
      }
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

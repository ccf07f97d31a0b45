import { setTimeout as sleep } from 'node:timers/promises';
import type { Route } from './+types/run-events-route';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { readRunPulse } from '#app/features/feeds/runs/import-log-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { askedRow } from '#app/platform/asked-row.server.ts';
import { isOver } from './import-words.ts';

const everyMs = 1_000;
/**
 * Closes the stream after a while and lets the browser reconnect, so that no connection stays open
 * forever.
 */
const longestMs = 60_000;

/** Server-sent events of a run: its progress once a second, and an event when it ends. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  const { db } = appServices(context);
  await askedRow(db, params.id, readRunPulse);

  async function* events(): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    const until = performance.now() + longestMs;
    for (;;) {
      const pulse = await readRunPulse(db, Number(params.id));
      if (!pulse) return;
      yield encoder.encode(`data: ${JSON.stringify(pulse)}\n\n`);
      if (isOver(pulse.state) || performance.now() > until || request.signal.aborted) return;
      await sleep(everyMs, undefined, { signal: request.signal }).catch(() => {});
    }
  }
  const source = events();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await source.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await source.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store',
    },
  });
}

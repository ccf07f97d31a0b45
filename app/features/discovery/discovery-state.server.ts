import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { describeUnlisted } from './describe-unlisted.ts';
import {
  type DiscoveryService,
  discoveryServices,
  indexNowKeyPath,
  mostCounted,
} from './discovery-services.ts';

/** The state of one service, as shown to staff. */
export interface ServiceState {
  name: DiscoveryService;
  isOn: boolean;
  sentAt: Date | null;
  /** The number of URLs in the last successful request. */
  sentCount: number;
  failedAt: Date | null;
  lastError: string | null;
  stoppedAt: Date | null;
  /** The number of waiting URLs, up to `mostCounted`. */
  waiting: number;
}

export type Discovery = Awaited<ReturnType<typeof readDiscovery>>;

/** Returns the state of each service, and why nothing is sent if that is the case. */
export async function readDiscovery({ db, env, now }: Pick<AppServices, 'db' | 'env' | 'now'>) {
  const settings = await readSiteSettings(db);
  const isOn = { indexnow: settings.indexNow, websub: settings.webSubHub !== '' };
  const stored = await ask(db).rows<Omit<ServiceState, 'isOn'>>`
    select n.name, s.sent_at as "sentAt", coalesce(s.sent_count, 0) as "sentCount", s.failed_at as "failedAt",
           s.last_error as "lastError", s.stopped_at as "stoppedAt",
           (select count(distinct path) from (
              select path from discovery_queue where service = n.name limit ${mostCounted}) q) as waiting
      from unnest(${discoveryServices}::text[]) with ordinality n (name, place)
           left join discovery_services s on s.name = n.name order by place`;
  return {
    unlisted: describeUnlisted(settings, env.origin),
    keyAddress: env.origin + indexNowKeyPath,
    now: now(),
    services: stored.map((state): ServiceState => ({ ...state, isOn: isOn[state.name] })),
  };
}

/** Lets stopped services retry immediately, and drops the queue of services that are turned off. */
export async function restartDiscovery(db: Db): Promise<void> {
  const settings = await readSiteSettings(db);
  await db.transaction().execute(async (tx) => {
    await ask(tx).rows`
      update discovery_services
         set stopped_at = null, failures = 0, last_error = null, failed_at = null, due_at = now()`;
    await ask(tx).rows`
      delete from discovery_queue
       where (service = 'indexnow' and not ${settings.indexNow}) or (service = 'websub' and ${settings.webSubHub} = '')`;
  });
}

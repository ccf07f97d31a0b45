import type { Db } from '#database/connect.ts';
import { addSubId } from './add-sub-id.ts';
import { isNetworkId, recogniseNetwork } from './affiliate-networks.ts';
import { type ClickSource, readClickSource } from './click-source.ts';
import { type ClickTarget, encodeSubId } from './sub-id.server.ts';

interface WayOut {
  target: ClickTarget;
  /** The merchant's choice: `auto`, `off`, or a network. */
  network: string;
  source: ClickSource;
  at: Date;
}

/** Returns the link to a store with a sub-id, which its network reports with each sale. */
export async function withSubId(
  db: Db,
  link: string,
  { target, network, source, at }: WayOut,
): Promise<string> {
  if (network === 'off') return link;
  const sendsTo = isNetworkId(network) ? network : recogniseNetwork(link);
  if (sendsTo === null) return link;
  const day = at.toISOString().slice(0, 10);
  return addSubId(link, sendsTo, await encodeSubId(db, { target, source, day }));
}

/**
 * Returns the source of a request for an outbound link: its own `from` if an ad or newsletter links
 * to it, otherwise the page that contains the link.
 */
export function sourceOf(request: Request, origin: string): ClickSource {
  const { pathname, search } = new URL(request.url);
  const isOurs = /[?&]from=(?:newsletter|slot)-\d/.test(search);
  return readClickSource(
    isOurs ? origin + pathname + search : request.headers.get('referer'),
    origin,
  );
}

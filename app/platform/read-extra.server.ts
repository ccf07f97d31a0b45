import type { RouterContextProvider } from 'react-router';
import { appServices, requestFacts } from './app-context.server.ts';

/** ms after which a page continues without its extra, which usually takes one or two */
const patience = 1_000;

/**
 * Reads an extra of a page, such as the user's favorites. If reading fails or takes too long, logs
 * this and returns `empty`, so that the page never fails because of an extra.
 */
export async function readExtra<Extra>(
  context: Readonly<Pick<RouterContextProvider, 'get'>>,
  name: string,
  empty: Extra,
  read: () => Promise<Extra>,
): Promise<Extra> {
  const { log } = appServices(context);
  const { id: requestId } = requestFacts(context);
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<Extra>((resolve) => {
    timer = setTimeout(() => {
      log.error({ requestId }, `${name} took longer than ${patience} ms to read`);
      resolve(empty);
    }, patience);
  });
  const reading = read().catch((error: unknown) => {
    log.error({ err: error, requestId }, `${name} could not be read`);
    return empty;
  });
  const extra = await Promise.race([reading, deadline]);
  clearTimeout(timer);
  return extra;
}

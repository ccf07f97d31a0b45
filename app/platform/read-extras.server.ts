import type { RouterContextProvider } from 'react-router';
import { appServices, requestFacts } from './app-context.server.ts';

/** ms after which a page continues without its extras; each is read in one or two */
const patience = 1_000;

/**
 * Reads the extras of a page, such as the user's favorites. An extra that fails or is late is
 * logged and stays as it is in `empty`, so the page never fails because of it. Extras are read one
 * after the other, over one connection.
 */
export async function readExtras<Extras extends object>(
  context: Readonly<Pick<RouterContextProvider, 'get'>>,
  empty: Extras,
  reads: { [Name in keyof Extras]: () => Promise<Extras[Name]> },
): Promise<Extras> {
  const { log } = appServices(context);
  const { id: requestId } = requestFacts(context);
  const extras = { ...empty };
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;

  async function readAll(): Promise<void> {
    for (const name of Object.keys(reads) as (keyof Extras & string)[]) {
      if (isLate) return;
      try {
        const read = await reads[name]();
        if (!isLate) extras[name] = read;
      } catch (error) {
        log.error({ err: error, requestId }, `${name} could not be read`);
      }
    }
  }

  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isLate = true;
      log.error(
        { requestId },
        `${Object.keys(reads).join(', ')} took longer than ${patience} ms to read`,
      );
      resolve();
    }, patience);
  });
  await Promise.race([readAll(), deadline]);
  clearTimeout(timer);
  return extras;
}

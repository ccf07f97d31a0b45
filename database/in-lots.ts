/**
 * Repeats a bounded step, a transaction of its own each, until it answers false or the process stops. A step notes how far it
 * came in its transaction, or finds no longer what it has done: a kill between two loses and repeats nothing.
 */
export async function inLots(
  signal: AbortSignal | undefined,
  step: () => Promise<boolean>,
): Promise<void> {
  const mayGoOn = () => !signal?.aborted;
  while (mayGoOn() && (await step()));
}

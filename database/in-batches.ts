/**
 * Repeats a limited step, each time in its own transaction, until it returns false or the process
 * stops. A step stores its progress in the same transaction, or no longer finds rows it has
 * processed. A kill between two steps therefore loses and repeats nothing.
 */
export async function inBatches(
  signal: AbortSignal | undefined,
  step: () => Promise<boolean>,
): Promise<void> {
  const mayGoOn = () => !signal?.aborted;
  while (mayGoOn() && (await step()));
}

import { ownProcessLimits, type Trouble } from '#app/platform/own-process.ts';

/** Messages of the built-in samples, as the specification words them. */
export const sampleImportMessages = {
  done: (count: number) => `Successfully imported ${count} deals!`,
  failed: 'Failed to import deals. Please try again.',
  merchantFailed: (name: string, message: string) =>
    `Failed to create merchant ${name}: ${message}`,
  categoryMissing: (name: string, title: string) => `Category ${name} not found for deal ${title}`,
  updateFailed: (title: string, message: string) => `Failed to update deal ${title}: ${message}`,
  createFailed: (title: string, message: string) => `Failed to create deal ${title}: ${message}`,
  unexpected: (title: string, message: string) =>
    `Unexpected error processing deal ${title}: ${message}`,
};

/** The reason stored with a run whose process ended unexpectedly. */
export const lostImportReasons: Record<Trouble, string> = {
  silent: `reading this feed made no progress for ${ownProcessLimits.silentSeconds} seconds, so it was stopped; the batches already written are kept`,
  memory: `reading this feed used more memory than the ${ownProcessLimits.memoryMb} MB it is allowed, so it was stopped; the batches already written are kept`,
  died: 'the process that read this feed was killed; the batches already written are kept',
};

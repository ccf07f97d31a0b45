/** What a loader answers when its screen cannot be read. */
export interface FailedLoad {
  ok: false;
  /** "Error loading deals: …" */
  says: string;
  /** Finds the log line. */
  requestId: string;
}

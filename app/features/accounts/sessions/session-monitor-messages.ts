/** Messages of the session monitor, word for word from the specification (back-office.md, sections 2 and 8). */
export const sessionMonitorMessages = {
  title: 'Session Monitor',
  note: 'For debugging. It should be removed in production: set SESSION_MONITOR to off.',
  valid: 'Valid',
  expired: 'Expired',
  available: 'Available',
  missing: 'Missing',
  refreshed: 'Session refreshed.',
  /** The server rejected the refresh. */
  refreshFailed: (message: string) => `Session refresh failed: ${message}`,
  /** The refresh got no response. */
  refreshError: (error: string) => `Session refresh error: ${error}`,
  dataRead: (count: number) => `Data access test successful! Found ${count} deals.`,
  dataFailed: (message: string) => `Data access test failed: ${message}`,
  over: 'the session has ended',
  unreachable: 'the site could not be reached',
  refused: (status: number) => `the site responded with status ${status}`,
} as const;

/** Returns the minutes and seconds until `endsAt`, or zero once that time has passed. */
export function timeLeft(endsAt: number, now: number): string {
  const seconds = Math.max(0, Math.floor((endsAt - now) / 1000));
  return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}

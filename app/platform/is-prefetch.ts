/**
 * Returns whether a browser prefetches for a visit that may never happen. Only reads can be
 * prefetched.
 */
export function isPrefetch(method: string, secPurpose: string | null | undefined): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && /^\s*prefetch/i.test(secPurpose ?? '');
}

/** Whether a browser asks ahead of a visit that may never come. Only what is read can be fetched so. */
export function isPrefetch(method: string, secPurpose: string | null | undefined): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && /^\s*prefetch/i.test(secPurpose ?? '');
}

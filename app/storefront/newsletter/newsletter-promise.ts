/** What subscribers get, on a site that sends a weekly digest or not: nothing is promised that does not come. */
export function newsletterPromise({ hasDigest }: { hasDigest?: boolean }): string {
  return hasDigest
    ? 'The best new deals once a week, each with what our price log knows about it.'
    : 'A mail when there is something worth one: good deals, each with what our price log knows about it.';
}

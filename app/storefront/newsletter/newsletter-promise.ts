/**
 * Describes what subscribers get, with or without a weekly digest, so that the site promises only
 * what it sends.
 */
export function newsletterPromise({ hasDigest }: { hasDigest?: boolean }): string {
  return hasDigest
    ? 'The best new deals once a week, each with its price history from our log.'
    : 'An email when there is something worth your time: good deals, each with its price history from our log.';
}

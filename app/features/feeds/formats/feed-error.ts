/** A feed that cannot be read any further. The message is a sentence for the operator. */
export class FeedError extends Error {
  override name = 'FeedError';
}

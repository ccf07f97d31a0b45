/** A feed that cannot be read (further). The message is a sentence for the operator. */
export class FeedError extends Error {
  override name = 'FeedError';
}

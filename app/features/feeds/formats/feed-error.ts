/**
 * The error for a feed that cannot be read any further. Its message is a sentence for the operator.
 */
export class FeedError extends Error {
  override name = 'FeedError';
}

/** Returns the error for a file that is not a feed, such as a list of subscribers. */
export function errorOfFile(error: FeedError): FeedError {
  return new FeedError(error.message.replace(/\bfeed\b/g, 'file'), { cause: error });
}

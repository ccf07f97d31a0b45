/**
 * Reasons that callers handle differently. `silent`: no response; `busy`: the server requests a
 * delay.
 */
type SafeFetchErrorKind = 'too large' | 'silent' | 'busy';

/**
 * The reason why an address was not fetched. The message is a sentence for the person who entered
 * it.
 */
export class SafeFetchError extends Error {
  override name = 'SafeFetchError';
  readonly kind: SafeFetchErrorKind | null;

  constructor(
    message: string,
    { kind = null, ...options }: ErrorOptions & { kind?: SafeFetchErrorKind | null } = {},
  ) {
    super(message, options);
    this.kind = kind;
  }
}

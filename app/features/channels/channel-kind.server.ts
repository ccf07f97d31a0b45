/** The values of a kind's fields, by name (`channel-fields.ts`). */
export type ChannelSettings = Readonly<Record<string, string>>;

/** The content of a post, already escaped and short enough for its kind. */
export interface ChannelMessage {
  /** A key that is the same for every attempt, and different for every post. */
  key: string;
  /** The time when the post was queued, the same for every attempt. */
  queuedAt: Date;
  text: string;
  title: string;
  link: string;
  isOver: boolean;
  picture: ChannelPicture | null;
  /** The id of the earlier post that this one is about. */
  replyTo: string | null;
  /** The parts of the post, for API clients. */
  parts: Record<string, string | boolean | null>;
}

interface ChannelPicture {
  url: string;
  /** The picture's alt text. */
  alt: string;
  read(): Promise<Buffer>;
}

export interface ChannelRequest {
  url: string;
  method?: 'POST' | 'PUT' | 'PATCH';
  json?: object;
  raw?: { type: string; body: Buffer };
  headers?: Record<string, string>;
}

/** Sends a request, and returns the response as JSON. Throws a `ChannelRefusal`. */
export type CallChannel = (request: ChannelRequest) => Promise<unknown>;

/** One file of `kinds/`. */
export interface ChannelKind {
  /** The longest text in UTF-16 units. */
  longest: number;
  /** Seconds between two requests, by the documented limits. */
  gapSeconds: number;
  /** Makes a value, such as a title, harmless. Links and the owner's own text are unchanged. */
  escape(value: string): string;
  /** Posts a message and returns its id, or `null` if the channel has none. */
  post(
    call: CallChannel,
    settings: ChannelSettings,
    message: ChannelMessage,
  ): Promise<string | null>;
  /** Replaces an earlier message. If absent, the channel can't edit. */
  edit?(
    call: CallChannel,
    settings: ChannelSettings,
    message: ChannelMessage,
    id: string,
  ): Promise<void>;
}

/** An unsuccessful response. Its message never contains an address or a token. */
export class ChannelRefusal extends Error {
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  constructor(status: number, words: string, retryAfterSeconds: number | null = null) {
    super(words);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Retries can only help after timeouts, rate limits, server errors and failed sign-ins. */
  get isPassing(): boolean {
    return [401, 403, 408, 425, 429].includes(this.status) || this.status >= 500;
  }
}

/** Returns a text field of a response, or `null`. */
export function textOf(answer: unknown, ...path: string[]): string | null {
  const found = path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? Reflect.get(value, name) : null,
    answer,
  );
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found !== '' ? found : null;
}

/** Returns the header that authenticates a request with a token. */
export function bearer(token: string | null | undefined) {
  return { authorization: `Bearer ${token}` };
}

/** Breaks mentions such as `@everyone` with an invisible character. */
export function breakMentions(value: string): string {
  return value.replace(/@/g, '@\u200B');
}

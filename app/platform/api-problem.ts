const problems = {
  400: {
    name: 'unreadable-address',
    title: 'The address cannot be read',
    detail: 'The address contains characters or an encoding that no address of this site uses.',
  },
  401: {
    name: 'unknown-key',
    title: 'The API key is unknown',
    detail:
      'The key was revoked or mistyped. Without the Authorization header the API treats you as anonymous.',
  },
  403: {
    name: 'not-allowed',
    title: 'This is not allowed',
    detail: 'The API is read-only. Requests that write are refused from other sites.',
  },
  404: {
    name: 'not-found',
    title: 'Nothing exists at this address',
    detail: 'The address is unknown, or its content is no longer public.',
  },
  405: {
    name: 'method-not-allowed',
    title: 'The API is read-only',
    detail: 'Use one of GET, HEAD, OPTIONS.',
  },
  406: {
    name: 'not-acceptable',
    title: 'Only JSON is offered',
    detail: 'Let the Accept header allow application/json, or leave it out.',
  },
  413: {
    name: 'too-large',
    title: 'The request is too large',
    detail: 'The API does not accept request bodies.',
  },
  414: {
    name: 'address-too-long',
    title: 'The address is too long',
    detail: 'At most 2,048 characters are read.',
  },
  415: {
    name: 'unknown-content',
    title: 'This content type is not supported',
    detail: 'The API does not accept request bodies.',
  },
  421: {
    name: 'unknown-host',
    title: 'This site does not serve this host name',
    detail: 'Use the host named in the OpenAPI document.',
  },
  422: {
    name: 'invalid-parameters',
    title: 'Some parameters are invalid',
    detail: 'See the list of errors.',
  },
  429: {
    name: 'too-many-requests',
    title: 'Too many requests',
    detail: 'Wait as many seconds as the Retry-After header states. An API key has a higher limit.',
  },
  500: {
    name: 'our-mistake',
    title: 'Something went wrong',
    detail: 'The error is on our side and has been logged.',
  },
  503: {
    name: 'unavailable',
    title: 'Back in a moment',
    detail: 'The site is overloaded or cannot reach its data right now. Try again shortly.',
  },
};

/** Refusals of requests that require a key or one of its permissions. */
export const keyProblems = {
  'key-needed': {
    status: 401,
    name: 'key-needed',
    title: 'An API key is needed',
    detail:
      'Only requests with an API key may read this. Send your key in the Authorization header.',
  },
  'right-needed': {
    status: 403,
    name: 'right-needed',
    title: 'The API key lacks a permission',
    detail:
      'Ask the site’s owner for a key with this permission. Permissions are chosen when a key is created.',
  },
} as const;
export type KeyProblem = keyof typeof keyProblems;

/**
 * Returns whether this is a path of the API. The API responds with problem details (RFC 9457)
 * instead of pages, and to every origin.
 */
export function isApiPath(pathname: string): boolean {
  return /^\/(?:api\/v1(?:\/|$)|openapi\.json$)/.test(pathname);
}

/** CORS headers: pages of any site may read the responses, but none may send credentials. */
export const crossOriginHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After',
} as const;

export const apiMethods = 'GET, HEAD, OPTIONS';

/** The response to a CORS preflight request. */
export const preflightHeaders = {
  ...crossOriginHeaders,
  'access-control-allow-methods': apiMethods,
  'access-control-allow-headers': 'Authorization, If-None-Match',
  'access-control-max-age': '86400',
  allow: apiMethods,
} as const;

export const problemType = 'application/problem+json; charset=utf-8';

/**
 * Every refusal of the API, by status. `name` is its anchor on `/developers`, and `detail` the
 * default.
 */
export const apiProblems: Readonly<Record<number, (typeof problems)[500]>> = problems;

export interface ParameterError {
  parameter: string;
  detail: string;
}

/** Returns the body of a refusal. `reference` finds the log line. */
export function describeProblem(
  status: number,
  { origin, reference }: { origin: string; reference: string },
  {
    problem,
    ...more
  }: { problem?: KeyProblem | undefined; detail?: string; errors?: ParameterError[] } = {},
): string {
  const kind = problem ? keyProblems[problem] : (apiProblems[status] ?? problems[500]);
  return JSON.stringify({
    type: `${origin}/developers#${kind.name}`,
    title: kind.title,
    status,
    detail: more.detail ?? kind.detail,
    reference,
    errors: more.errors,
  });
}

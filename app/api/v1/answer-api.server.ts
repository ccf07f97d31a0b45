import type { LoaderFunctionArgs } from 'react-router';
import { z } from 'zod';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import { apiKeyWords } from '#app/features/public-api/api-key-rights.ts';
import type { ApiOperation } from '#app/features/public-api/api-operations.ts';
import { readApiQuery } from '#app/features/public-api/read-api-query.ts';
import { type PublicSite, publicSite } from '#app/features/site-settings/public-site.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import {
  apiMethods,
  crossOriginHeaders,
  describeProblem,
  type KeyProblem,
  keyProblems,
  type ParameterError,
  problemType,
} from '#app/platform/api-problem.ts';
import { type AppServices, appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { answerConditionally } from '../answer-conditionally.server.ts';
import type { ApiKeyRight } from '#database/schema/program-tables.ts';
import { countCaller } from './count-caller.server.ts';
import { pageLinks } from './page-links.ts';

/** The input of an operation. */
export interface ApiCall<Query extends z.ZodObject = z.ZodObject> {
  services: AppServices;
  site: PublicSite;
  now: Date;
  query: z.output<Query>;
  /**
   * The variable part of the path, without characters that the database rejects. Empty if there is
   * none.
   */
  key: string;
  /** The IP address for rate limits. `null` for callers with a key. */
  anonymousAddress: string | null;
}

export type ApiResult<Answer extends z.ZodObject> =
  | { ok: true; answer: z.output<Answer> }
  | { ok: false; status: 404; detail: string }
  | { ok: false; status: 422; errors: ParameterError[] }
  | { ok: false; status: 429; retryAfterSeconds: number }
  /** The new URL, as a path on this site. */
  | { ok: false; status: 301; location: string };

/** Returns the problem for a page beyond the last one. */
export function beyondLast(page: number, count: number) {
  const detail = `There is no page ${page}: the list has ${count}.`;
  return { ok: false, status: 404, detail } as const;
}

type Read<Query extends z.ZodObject, Answer extends z.ZodObject> = (
  call: ApiCall<Query>,
) => Promise<ApiResult<Answer>>;

/** Wraps an operation and its function with everything that operations share. */
export function apiAnswer<Query extends z.ZodObject, Answer extends z.ZodObject>(
  operation: ApiOperation<Query, Answer>,
  read: Read<Query, Answer>,
) {
  return {
    operation,
    /** The unserialized result, for callers that present it differently. */
    read,
    answer: async (args: LoaderFunctionArgs): Promise<Response> => {
      try {
        return await answer(operation, read, args);
      } catch (error) {
        return answerFailure(args, error);
      }
    },
  };
}

async function answer<Query extends z.ZodObject, Answer extends z.ZodObject>(
  operation: ApiOperation<Query, Answer>,
  read: Read<Query, Answer>,
  args: LoaderFunctionArgs,
): Promise<Response> {
  const { request, context } = args;
  if (!acceptsJson(request.headers.get('accept'))) return refuse(args, 406);
  const services = appServices(context);
  const caller = await countCaller(services, request, requestFacts(context).address);
  if (!caller.ok) return refuse(args, caller.status, { headers: caller.headers });
  const { needs } = operation;
  const headers = needs ? { ...caller.headers, vary: 'Authorization' } : caller.headers;
  if (needs && !caller.rights?.has(needs)) return refuseForKey(args, needs, caller.rights, headers);

  const url = new URL(request.url);
  const parameters = readApiQuery(operation.query, url.searchParams);
  if (!parameters.ok) return refuse(args, 422, { headers, errors: parameters.errors });
  const key = operation.key ? (args.params[operation.key.name] ?? '') : '';
  if (/\p{Cc}/u.test(key)) return refuse(args, 404, { headers });

  const site = publicSite(await readSiteSettings(services.db), services.env.origin);
  const { query } = parameters;
  const { anonymousAddress } = caller;
  const now = services.now();
  const result = await read({ services, site, now, query, key, anonymousAddress });
  if (result.ok) {
    const json = JSON.stringify(z.encode(operation.answer, result.answer));
    const links = pageLinks(site.origin, url, result.answer);
    return needs || operation.isPrivate
      ? answerPrivately(json, { ...headers, ...links })
      : answerJson(request, json, { ...headers, ...links });
  }
  switch (result.status) {
    case 301: {
      const location = site.origin + result.location + url.search;
      return new Response(null, {
        status: 301,
        headers: { ...crossOriginHeaders, ...headers, location },
      });
    }
    case 429:
      return refuse(args, 429, {
        headers: { ...headers, 'retry-after': String(result.retryAfterSeconds) },
      });
    default: {
      const { status, ...more } = result;
      return refuse(args, status, { ...more, headers });
    }
  }
}

/**
 * Returns the response for a missing key, or one without the right: `key-needed` or `right-needed`.
 */
function refuseForKey(
  args: LoaderFunctionArgs,
  needs: ApiKeyRight,
  rights: ReadonlySet<ApiKeyRight> | null,
  headers: Record<string, string>,
): Response {
  const error = rights ? `, error="insufficient_scope", scope="${needs}"` : '';
  const problem = rights ? 'right-needed' : 'key-needed';
  return refuse(args, keyProblems[problem].status, {
    headers: { ...headers, 'www-authenticate': `Bearer realm="api"${error}` },
    problem,
    detail: `This needs an API key with “${apiKeyWords[needs].label}”. ${keyProblems[problem].detail}`,
  });
}

/** Returns a response for its caller only, uncacheable and so without an ETag. */
function answerPrivately(json: string, headers: Record<string, string>): Response {
  return new Response(json, {
    headers: {
      ...crossOriginHeaders,
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
    },
  });
}

/** Returns JSON that pages of any site may read. */
export function answerJson(
  request: Request,
  json: string,
  headers: Record<string, string> = {},
  seconds = 60,
): Response {
  const all = { ...crossOriginHeaders, ...headers };
  return answerConditionally(request, json, 'application/json', seconds, all);
}

interface Refusal {
  problem?: KeyProblem;
  headers?: Record<string, string>;
  detail?: string;
  errors?: ParameterError[];
}

export function refuse(
  { context }: Pick<LoaderFunctionArgs, 'context'>,
  status: number,
  { headers = {}, ...more }: Refusal = {},
): Response {
  const reference = requestFacts(context).id;
  const { origin } = appServices(context).env;
  return new Response(describeProblem(status, { origin, reference }, more), {
    status,
    headers: {
      ...crossOriginHeaders,
      ...headers,
      'content-type': problemType,
      'cache-control': 'no-store',
    },
  });
}

/** Rejects writes to any operation. */
export function apiAction(args: Pick<LoaderFunctionArgs, 'context'>): Response {
  return refuse(args, 405, { headers: { allow: apiMethods } });
}

function answerFailure(args: LoaderFunctionArgs, error: unknown): Response {
  const isAway = isDatabaseUnavailable(error);
  const requestId = requestFacts(args.context).id;
  if (!args.request.signal.aborted) {
    appServices(args.context).log.error({ err: error, requestId }, 'request failed');
  }
  return refuse(args, isAway ? 503 : 500, isAway ? { headers: { 'retry-after': '5' } } : {});
}

/** Returns whether the Accept header allows JSON, which must be named and have a weight above 0. */
export function acceptsJson(accept: string | null): boolean {
  if (accept === null || accept.trim() === '') return true;
  const weights = accept.split(',').flatMap((entry) => {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const place = ['*/*', 'application/*', 'application/json'].indexOf(range);
    if (place < 0) return [];
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return [{ place, weight: weight === undefined ? 1 : Number(weight.slice(2)) }];
  });
  const exact = weights.toSorted((a, b) => b.place - a.place)[0];
  return exact !== undefined && exact.weight > 0;
}

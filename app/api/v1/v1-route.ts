import type { LoaderFunctionArgs } from 'react-router';
import { apiRoot } from '#app/features/public-api/api-operations.ts';
import { apiAction, refuse } from './answer-api.server.ts';
import { clickAnswers } from './click-answers.server.ts';
import { dealAnswers } from './deal-answers.server.ts';
import { shopAnswers } from './shop-answers.server.ts';

/** By their routes, as `routes.ts` writes them. */
const answers = new Map(
  [...dealAnswers, ...shopAnswers, ...clickAnswers].map(({ operation, answer }) => [
    apiRoot.slice(1) + operation.path.replace(/\{(\w+)\}/, ':$1'),
    answer,
  ]),
);

/** Everything below `/api/v1`: the operations, and what is none. */
export function loader(args: LoaderFunctionArgs): Response | Promise<Response> {
  return (
    answers.get(args.pattern)?.(args) ??
    refuse(args, 404, { detail: 'Nothing is at this address. /openapi.json lists what is.' })
  );
}

export const action = apiAction;

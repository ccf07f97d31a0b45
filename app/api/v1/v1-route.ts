import type { LoaderFunctionArgs } from 'react-router';
import { apiRoot } from '#app/features/public-api/api-operations.ts';
import { apiAction, refuse } from './answer-api.server.ts';
import { clickAnswers } from './click-answers.server.ts';
import { couponsAnswer } from './coupon-answers.server.ts';
import { dealAnswers } from './deal-answers.server.ts';
import { evidenceAnswers } from './evidence-answers.server.ts';
import { priceCheckAnswer } from './price-check-answer.server.ts';
import { productAnswer } from './product-answer.server.ts';
import { shopAnswers } from './shop-answers.server.ts';

/** Responses by route pattern, as `routes.ts` writes it. */
const answers = new Map(
  [
    ...dealAnswers,
    ...evidenceAnswers,
    productAnswer,
    priceCheckAnswer,
    ...shopAnswers,
    couponsAnswer,
    ...clickAnswers,
  ].map(({ operation, answer }) => [
    apiRoot.slice(1) + operation.path.replace(/\{(\w+)\}/, ':$1'),
    answer,
  ]),
);

/** Handles everything below `/api/v1`: the operations, and 404 for other paths. */
export function loader(args: LoaderFunctionArgs): Response | Promise<Response> {
  return (
    answers.get(args.pattern)?.(args) ??
    refuse(args, 404, {
      detail: 'Nothing exists at this address. See /openapi.json for what does.',
    })
  );
}

export const action = apiAction;

import type { LoaderFunctionArgs } from 'react-router';
import { apiAction, refuse } from './answer-api.server.ts';

/** Everything below `/api/v1` that is no operation. */
export function loader(args: LoaderFunctionArgs): Response {
  return refuse(args, 404, { detail: 'Nothing is at this address. /openapi.json lists what is.' });
}

export const action = apiAction;

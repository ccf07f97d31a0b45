import type { AppServices } from '#app/platform/app-context.server.ts';
import { allowance } from '#app/platform/rate-limit.server.ts';

/** Describes the current limits as text. */
export function describeLimits(services: Pick<AppServices, 'env'>) {
  return {
    anonymous: `Without a key ${inWords(allowance(services, 'api-address'))} for an address`,
    withKey: `with a key ${inWords(allowance(services, 'api-key'))}`,
  };
}

function inWords({ points, seconds }: { points: number; seconds: number }): string {
  if (points === 0) return 'unlimited requests';
  return `${points} requests ${seconds === 60 ? 'a minute' : `in ${seconds} seconds`}`;
}

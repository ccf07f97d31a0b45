import { createContext, type RouterContextProvider } from 'react-router';
import type { FailedAct } from './failed-act.ts';

const failedActContext = createContext<FailedAct | null>(null);

/**
 * Stores the failure for the page that is rendered again without JavaScript. The loaders run after
 * the action, in the same request.
 */
export function noteFailedAct(
  context: Readonly<Pick<RouterContextProvider, 'set'>>,
  failed: FailedAct,
): void {
  context.set(failedActContext, failed);
}

export function failedActOf(context: Readonly<Pick<RouterContextProvider, 'get'>>) {
  return context.get(failedActContext);
}

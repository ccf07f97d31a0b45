import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type FollowTarget, targetKey } from './follow-target.ts';

const FollowsContext = createContext<ReadonlySet<string>>(new Set());

/** Provides the signed-in user's follows to every follow button on the page. */
export function FollowsProvider({ keys, children }: { keys: string[]; children: ReactNode }) {
  const followed = useMemo(() => new Set(keys), [keys]);
  return <FollowsContext value={followed}>{children}</FollowsContext>;
}

export function useIsFollowed(target: FollowTarget): boolean {
  return useContext(FollowsContext).has(targetKey(target));
}

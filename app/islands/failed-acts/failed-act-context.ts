import { createContext, use, useEffect, useMemo, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { type FailedAct } from '#app/platform/failed-acts/failed-act.ts';
import {
  clearFailedAct,
  readFailedAct,
  watchFailedAct,
} from '#app/platform/failed-acts/keep-failed-forms.ts';

/** The failure that came with a page rendered without JavaScript. */
export const FailedActContext = createContext<FailedAct | null>(null);

/** Returns this page's failed action, until another action succeeds or another page is opened. */
export function useFailedAct(): FailedAct | null {
  const { pathname, key } = useLocation();
  const ofPage = use(FailedActContext);
  const kept = useSyncExternalStore(watchFailedAct, readFailedAct, () => null);
  if (kept) return kept.paths.includes(pathname) ? kept : null;
  return key === 'default' ? ofPage : null;
}

/** Clears the failure once another page is shown. */
export function useDropFailedAct(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (readFailedAct()?.paths.includes(pathname) === false) clearFailedAct();
  }, [pathname]);
}

/** Returns the failure if the form with these fields was posted, and null otherwise. */
export function useFailedForm(names: readonly string[]): FailedAct | null {
  const failed = useFailedAct();
  const isOwn = failed !== null && names.some((name) => name in failed.values);
  return useMemo(() => (isOwn ? failed : null), [isOwn, failed]);
}

import { createContext, useContext } from 'react';
import { useRouteLoaderData } from 'react-router';
import type { Right } from '#app/features/accounts/policy.ts';

/** Whether the viewer may change the rows of the surrounding list. */
export const MayChangeContext = createContext(true);

export const useMayChange = (): boolean => useContext(MayChangeContext);

/** Returns whether the viewer has a right, so that a screen omits what would be refused. */
export function useMay(right: Right | undefined): boolean {
  const layout = useRouteLoaderData<{ staff: { rights: readonly string[] } }>('admin/admin-layout');
  return right === undefined || !layout || layout.staff.rights.includes(right);
}

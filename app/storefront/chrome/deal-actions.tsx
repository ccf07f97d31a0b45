import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { type DealActionsProps, SignedInActions } from './signed-in-actions.tsx';

/** A deal's favorite and alert buttons, for signed-in visitors. */
export function DealActions(props: DealActionsProps) {
  return useViewer() ? <SignedInActions {...props} /> : null;
}

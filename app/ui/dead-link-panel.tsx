import type { ReactNode } from 'react';
import { NarrowPage } from './narrow-column.tsx';

/**
 * Renders the page of an emailed link that no longer works, with the reason and how to get another
 * link.
 */
export function DeadLinkPanel({ actions, children }: { actions: ReactNode; children: ReactNode }) {
  return (
    <NarrowPage title="Invalid Link">
      <div className="stack gap-3">{children}</div>
      <div className="row gap-3">{actions}</div>
    </NarrowPage>
  );
}

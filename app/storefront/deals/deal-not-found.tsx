import type { ComponentProps } from 'react';
import { DidYouMean } from '#app/storefront/not-found/did-you-mean.tsx';
import { PrimaryLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';

export function DealNotFound(props: ComponentProps<typeof DidYouMean>) {
  return (
    <MessagePanel
      icon="search"
      level={1}
      title="Deal Not Found"
      actions={<PrimaryLink to="/deals">Browse All Deals</PrimaryLink>}
    >
      <p>The deal you’re looking for doesn’t exist or has been removed.</p>
      <DidYouMean {...props} />
    </MessagePanel>
  );
}

import { ButtonLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';

export function DealNotFound() {
  return (
    <MessagePanel
      icon="search"
      level={1}
      title="Deal Not Found"
      actions={
        <ButtonLink look="primary" to="/deals">
          Browse All Deals
        </ButtonLink>
      }
    >
      The deal you’re looking for doesn’t exist or has been removed.
    </MessagePanel>
  );
}

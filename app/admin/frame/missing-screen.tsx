import { useLocation } from 'react-router';
import { PrimaryLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { currentLink } from './admin-nav.ts';

/** The screen for a row that never existed or was deleted. */
export function MissingScreen({ title = 'This does not exist' }: { title?: string }) {
  const { pathname } = useLocation();
  const { href, label } = currentLink(pathname) ?? { href: '/admin', label: 'Dashboard' };
  return (
    <>
      <title>Not found</title>
      <MessagePanel
        icon="info"
        level={1}
        title={title}
        actions={<PrimaryLink to={href}>{label}</PrimaryLink>}
      >
        <p>It was deleted, or the address is wrong.</p>
      </MessagePanel>
    </>
  );
}

import { useLocation } from 'react-router';
import { PrimaryLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { currentLink } from './admin-nav.ts';

/** In place of a thing that is not there, or no longer: that is no fault of the site's. */
export function MissingScreen({ title = 'This is not here' }: { title?: string }) {
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
        <p>It was deleted, or its number is wrong.</p>
      </MessagePanel>
    </>
  );
}

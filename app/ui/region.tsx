import type { ReactNode } from 'react';
import { ButtonLink } from './button.tsx';
import { useMadeOnce } from './made-once.ts';
import { MessagePanel } from './message-panel.tsx';
import styles from './region.module.css';

/**
 * Renders the part of a page that changes in place (`islands/swap-regions.ts`), dimmed until the
 * response arrives. `waiting` replaces the part if the response takes a while, and `lost` if no
 * response arrives. `sameAs` names the two templates, if all regions of this name share them.
 */
export function Region({
  name,
  waiting,
  lost,
  sameAs = null,
  children,
}: {
  name: string;
  waiting?: ReactNode;
  lost: { title: string; text: string };
  sameAs?: string | null;
  children: ReactNode;
}) {
  return (
    <>
      <div className={styles.region} data-region={name}>
        {children}
      </div>
      {waiting ? (
        <Template when="waiting" sameAs={sameAs}>
          <div aria-busy="true">{waiting}</div>
        </Template>
      ) : null}
      <Template when="lost" sameAs={sameAs}>
        <div role="alert">
          <MessagePanel
            icon="alert"
            title={lost.title}
            actions={
              <ButtonLink variant="primary" to="" swap="replace">
                Retry
              </ButtonLink>
            }
          >
            {lost.text}
          </MessagePanel>
        </div>
      </Template>
    </>
  );
}

/**
 * Renders a template. React does not manage its content, so a hydrated page keeps it as the server
 * sent it.
 */
function Template({
  when,
  sameAs,
  children,
}: {
  when: string;
  sameAs: string | null;
  children: ReactNode;
}) {
  const content = useMadeOnce(sameAs && `${sameAs} ${when}`, children);
  if (typeof document === 'undefined') return <template data-when={when} {...content} />;
  return (
    <template data-when={when} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
  );
}

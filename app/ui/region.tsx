import type { ReactNode } from 'react';
import { ButtonLink } from './button.tsx';
import { useMadeOnce } from './made-once.ts';
import { MessagePanel } from './message-panel.tsx';
import styles from './region.module.css';

/**
 * The part of a page that its visitor looks at while it changes in place (`islands/swap-regions.ts`): dimmed until the
 * answer is there. `waiting` stands in for it when that takes a while, and `lost` when no answer comes. `sameAs` names the
 * two, where all regions of this name have the same.
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
        <Kept when="waiting" sameAs={sameAs}>
          <div aria-busy="true">{waiting}</div>
        </Kept>
      ) : null}
      <Kept when="lost" sameAs={sameAs}>
        <div role="alert">
          <MessagePanel
            icon="alert"
            title={lost.title}
            actions={
              <ButtonLink look="primary" to="" swap="replace">
                Retry
              </ButtonLink>
            }
          >
            {lost.text}
          </MessagePanel>
        </div>
      </Kept>
    </>
  );
}

/** What a template holds is out of React's reach: where the page is hydrated it stays as the server sent it. */
function Kept({
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

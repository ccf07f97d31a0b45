import type { ReactNode } from 'react';
import { ButtonLink } from './button.tsx';
import { MessagePanel } from './message-panel.tsx';
import styles from './region.module.css';

/**
 * The part of a page that its visitor looks at while it changes in place (`islands/swap-regions.ts`): dimmed until the
 * answer is there. `waiting` stands in for it when that takes a while, and `lost` when no answer comes.
 */
export function Region({
  name,
  waiting,
  lost,
  children,
}: {
  name: string;
  waiting?: ReactNode;
  lost: { title: string; text: string };
  children: ReactNode;
}) {
  return (
    <>
      <div className={styles.region} data-region={name}>
        {children}
      </div>
      {waiting ? (
        <Kept when="waiting">
          <div aria-busy="true">{waiting}</div>
        </Kept>
      ) : null}
      <Kept when="lost">
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
function Kept({ when, children }: { when: string; children: ReactNode }) {
  if (typeof document === 'undefined') return <template data-when={when}>{children}</template>;
  return (
    <template data-when={when} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
  );
}

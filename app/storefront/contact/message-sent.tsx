import { useEffect, useRef } from 'react';
import { contactMessages } from '#app/features/contact/contact-messages.ts';
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import styles from './contact-page.module.css';

/** Takes the place of the form, and the focus with it, so that it is heard. */
export function MessageSent({ replyHours }: { replyHours: number }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div ref={panel} tabIndex={-1} className={styles.sent}>
      <MessagePanel
        icon="check"
        level={1}
        title={contactMessages.sent}
        actions={
          <>
            <PrimaryLink to="/contact">{contactMessages.sendAnother}</PrimaryLink>
            <ButtonLink to="/deals">Browse All Deals</ButtonLink>
          </>
        }
      >
        <p>
          Thank you for writing to us. We answer within {replyHours} hours, to the address you gave.
        </p>
      </MessagePanel>
    </div>
  );
}

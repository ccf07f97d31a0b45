import type { CSSProperties, ReactNode } from 'react';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import { MailLink, MailNote } from './mail-frame.tsx';
import type { MailSite } from './mail-kind.server.ts';

const price: CSSProperties = { fontWeight: 800, color: '#1c1a17', margin: '0 0 4px' };
const beside: CSSProperties = { fontSize: '14px', fontWeight: 400, color: '#615c53' };

/** What a deal costs now, and beside it what it cost: the one loud thing of a mail about one deal. */
export function MailPrice({
  now,
  was,
  size = 32,
}: {
  now: string;
  was: string | null;
  size?: number;
}) {
  return (
    <Text
      className="mail-text"
      style={{ ...price, fontSize: `${size}px`, lineHeight: `${size + 4}px` }}
    >
      {now}{' '}
      {was !== null && (
        <span className="mail-small" style={beside}>
          was <s>{was}</s>
        </span>
      )}
    </Text>
  );
}

/** One deal of several: its title, its price, and what is known of it. `path` is one of ours. */
export function MailDeal({
  site,
  title,
  path,
  now,
  was = null,
  notes,
}: {
  site: MailSite;
  title: string;
  path: string;
  now: string;
  was?: string | null;
  notes: readonly string[];
}) {
  return (
    <Section
      className="mail-line"
      style={{ borderTop: '1px solid #e2ded4', padding: '16px 0 8px' }}
    >
      <Text style={{ fontSize: '16px', lineHeight: '22px', margin: '0 0 6px' }}>
        <MailLink site={site} path={path}>
          {title}
        </MailLink>
      </Text>
      <MailPrice now={now} was={was} size={20} />
      {notes.map((note) => (
        <MailNote key={note}>{note}</MailNote>
      ))}
    </Section>
  );
}

/** What our own price log says: the reason to believe the price. */
export function MailProof({ children }: { children: ReactNode }) {
  return (
    <Text
      className="mail-proof"
      style={{
        backgroundColor: '#e0f0ea',
        borderRadius: '10px',
        color: '#0b4a3b',
        fontSize: '15px',
        lineHeight: '22px',
        margin: '0 0 16px',
        padding: '12px 16px',
      }}
    >
      {children}
    </Text>
  );
}

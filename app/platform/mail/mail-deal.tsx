import type { CSSProperties, ReactNode } from 'react';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import { MailLink, MailNote } from './mail-frame.tsx';
import type { MailSite } from './mail-kind.server.ts';

const price: CSSProperties = { fontWeight: 800, color: '#1c1a17', margin: '0 0 4px' };
const beside: CSSProperties = { fontSize: '14px', fontWeight: 400, color: '#615c53' };

/** The one loud thing of a mail about one deal: what it costs now, and beside it what it cost. */
export function MailPrice({ now, was }: { now: string; was: string | null }) {
  return (
    <Text className="mail-text" style={{ ...price, fontSize: '32px', lineHeight: '36px' }}>
      {now} <Was price={was} />
    </Text>
  );
}

/** One deal of several: its title, its price, and what is known of it. */
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
  /** One of ours. */
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
      <Text className="mail-text" style={{ ...price, fontSize: '20px', lineHeight: '24px' }}>
        {now} <Was price={was} />
      </Text>
      {notes.map((note) => (
        <MailNote key={note}>{note}</MailNote>
      ))}
    </Section>
  );
}

function Was({ price: earlier }: { price: string | null }) {
  if (earlier === null) return null;
  return (
    <span className="mail-small" style={beside}>
      was <s>{earlier}</s>
    </span>
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

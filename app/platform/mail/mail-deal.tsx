import type { CSSProperties, ReactNode } from 'react';
import { MailParagraph, MailSection } from './mail-elements.tsx';
import { MailLink, MailNote } from './mail-frame.tsx';
import type { MailSite } from './mail-kind.server.ts';

const price = { fontWeight: 800, color: '#1c1a17', margin: '0 0 4px' } as const;
const beside: CSSProperties = { fontSize: '14px', fontWeight: 400, color: '#615c53' };

/**
 * Renders the present price of a deal beside its former one, the most prominent part of an email
 * about one deal.
 */
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
    <MailParagraph
      className="mail-text"
      style={{ fontSize: `${size}px`, lineHeight: `${size + 4}px`, ...price }}
    >
      {now}{' '}
      {was !== null && (
        <span className="mail-small" style={beside}>
          was <s>{was}</s>
        </span>
      )}
    </MailParagraph>
  );
}

/** Renders one deal of several: its title, price, and evidence. `path` is a path on this site. */
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
    <MailSection
      className="mail-line"
      style={{ borderTop: '1px solid #e2ded4', padding: '16px 0 8px' }}
    >
      <MailParagraph style={{ fontSize: '16px', lineHeight: '22px', margin: '0 0 6px' }}>
        <MailLink site={site} path={path}>
          {title}
        </MailLink>
      </MailParagraph>
      <MailPrice now={now} was={was} size={20} />
      {notes.map((note) => (
        <MailNote key={note}>{note}</MailNote>
      ))}
    </MailSection>
  );
}

/** Renders the evidence from our own price log, which is the reason to trust the price. */
export function MailProof({ children }: { children: ReactNode }) {
  return (
    <MailParagraph
      className="mail-proof"
      style={{
        fontSize: '15px',
        lineHeight: '22px',
        backgroundColor: '#e0f0ea',
        borderRadius: '10px',
        color: '#0b4a3b',
        margin: '0 0 16px',
        padding: '12px 16px',
      }}
    >
      {children}
    </MailParagraph>
  );
}

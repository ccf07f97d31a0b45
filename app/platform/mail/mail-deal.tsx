import type { CSSProperties, ReactNode } from 'react';
import { MailParagraph } from './mail-elements.tsx';
import { MailLink, MailNote } from './mail-frame.tsx';
import type { MailSite } from './mail-kind.server.ts';

const price = { fontWeight: 800, color: '#1c1a17', margin: '0 0 4px' } as const;
const beside: CSSProperties = {
  fontSize: '14px',
  fontWeight: 400,
  color: '#615c53',
  whiteSpace: 'nowrap',
};

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

/**
 * Renders the picture of a product as a cell beside other cells. An email client that shows no
 * pictures shows the title in its place.
 */
export function MailPicture({
  src,
  href,
  title,
  padding = '16px 0',
}: {
  src: string;
  href: string;
  title: string;
  padding?: string;
}) {
  return (
    <td className="mail-picture" width={132} valign="top" style={{ padding }} data-skip-in-text>
      <a href={href} target="_blank">
        <img
          src={src}
          width={116}
          height={87}
          alt={title}
          style={{
            background: '#ffffff',
            borderRadius: '8px',
            color: '#615c53',
            display: 'block',
            fontSize: '11px',
          }}
        />
      </a>
    </td>
  );
}

/** Renders a deal's price line. `width` and `height` have the picture's ratio of 13 to 3. */
export function MailPriceLine({
  src,
  alt,
  width,
  height,
}: {
  src: string;
  alt: string;
  width: number;
  height: number;
}) {
  return (
    <img
      src={src}
      width={width}
      height={height}
      alt={alt}
      style={{
        background: '#faf9f6',
        borderRadius: '10px',
        color: '#615c53',
        display: 'block',
        fontSize: '11px',
        height: 'auto',
        margin: '0 0 8px',
        maxWidth: `${width}px`,
        width: '100%',
      }}
      data-skip-in-text
    />
  );
}

/** Renders one deal of several: its title, price, and evidence. Paths are paths on this site. */
export function MailDeal({
  site,
  title,
  path,
  now,
  was = null,
  notes,
  picture = null,
  line = null,
}: {
  site: MailSite;
  title: string;
  path: string;
  now: string;
  was?: string | null;
  notes: readonly string[];
  picture?: string | null;
  line?: string | null;
}) {
  return (
    <table
      width="100%"
      cellPadding="0"
      cellSpacing="0"
      role="presentation"
      className="mail-line mail-stack"
      style={{ borderTop: '1px solid #e2ded4' }}
    >
      <tbody>
        <tr>
          {picture === null ? null : (
            <MailPicture src={site.origin + picture} href={site.origin + path} title={title} />
          )}
          <td valign="top" style={{ padding: '16px 0 8px' }}>
            <MailParagraph style={{ fontSize: '16px', lineHeight: '22px', margin: '0 0 6px' }}>
              <MailLink site={site} path={path}>
                {title}
              </MailLink>
            </MailParagraph>
            <MailPrice now={now} was={was} size={20} />
            {notes.map((note) => (
              <MailNote key={note}>{note}</MailNote>
            ))}
            {line === null ? null : (
              <MailPriceLine src={site.origin + line} alt="Price history" width={260} height={60} />
            )}
          </td>
        </tr>
      </tbody>
    </table>
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

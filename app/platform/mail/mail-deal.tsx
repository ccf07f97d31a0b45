import { type CSSProperties, Fragment, type ReactNode } from 'react';
import { MailParagraph } from './mail-elements.tsx';
import { MailLink } from './mail-frame.tsx';
import type { MailSite } from './mail-kind.server.ts';

const price = { fontWeight: 800, color: '#1c1a17', margin: '0 0 4px' } as const;
const beside: CSSProperties = {
  fontSize: '14px',
  fontWeight: 400,
  color: '#615c53',
  whiteSpace: 'nowrap',
};

/**
 * Renders the current price of a deal beside its former one, the most prominent part of an email
 * about one deal.
 */
export function MailPrice({ now, was }: { now: string; was: string | null }) {
  return (
    <MailParagraph className="mail-text" style={{ fontSize: '32px', lineHeight: '36px', ...price }}>
      <Prices now={now} was={was} />
    </MailParagraph>
  );
}

function Prices({ now, was }: { now: string; was: string | null }) {
  if (was === null) return now;
  return (
    <>
      {now}{' '}
      <span className="mail-small" style={beside}>
        was <s>{was}</s>
      </span>
    </>
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
      <a href={href}>
        <img
          src={src}
          width={116}
          height={87}
          alt={title}
          style={{ borderRadius: '8px', display: 'block', fontSize: '11px' }}
        />
      </a>
    </td>
  );
}

/**
 * Renders a deal's price line. `width` and `height` have the picture's ratio of 13 to 3. If the
 * picture is wider than a phone, it shrinks.
 */
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
  const isWide = width > 280;
  return (
    <img
      src={src}
      width={width}
      height={height}
      alt={alt}
      style={{
        borderRadius: '10px',
        display: 'block',
        ...(isWide ? { height: 'auto', margin: '0 0 8px', width: '100%' } : { marginTop: '6px' }),
      }}
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
  picture?: string | null | undefined;
  line?: string | null | undefined;
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
          <td className="mail-small" valign="top" style={dealCell}>
            <p style={{ fontSize: '16px', lineHeight: '22px', margin: '0 0 6px' }}>
              <MailLink site={site} path={path}>
                {title}
              </MailLink>
            </p>
            <p className="mail-text" style={{ ...price, fontSize: '20px', lineHeight: '24px' }}>
              <Prices now={now} was={was} />
            </p>
            {notes.map((note, index) => (
              <Fragment key={note}>
                {index > 0 && <br />}
                {note}
              </Fragment>
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

const dealCell: CSSProperties = {
  color: '#615c53',
  fontSize: '13px',
  lineHeight: '20px',
  padding: '16px 0',
};

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

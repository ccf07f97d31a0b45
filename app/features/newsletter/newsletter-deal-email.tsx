import type { CSSProperties } from 'react';
import { MailPicture } from '#app/platform/mail/mail-deal.tsx';
import { MailButton, MailColorsContext } from '#app/platform/mail/mail-elements.tsx';
import type { MailColors } from '#app/platform/mail/mail-kind.server.ts';
import type { NewsletterDeal } from './newsletter-content.ts';

const words: CSSProperties = { margin: '0 0 6px', color: '#1c1a17' };
const small: CSSProperties = { margin: '0 0 4px', fontSize: '13px', color: '#615c53' };

/**
 * Renders a deal in a newsletter: picture, price and link. The layout uses tables, since email
 * clients support nothing else.
 */
export function NewsletterDealCard({
  deal,
  linkColor,
}: {
  deal: NewsletterDeal;
  linkColor: string;
}) {
  const { title, store, price, was, off, notes, href, picture } = deal;
  return (
    <table
      role="presentation"
      width="100%"
      cellPadding={0}
      cellSpacing={0}
      className="mail-line mail-stack"
      style={{
        border: '1px solid #e2ded4',
        borderRadius: '12px',
        borderCollapse: 'separate',
        margin: '0 0 16px',
      }}
    >
      <tbody>
        <tr>
          {picture === null ? null : (
            <MailPicture src={picture} href={href} title={title} padding="16px 0 16px 16px" />
          )}
          <td style={{ padding: '16px', verticalAlign: 'top' }}>
            <p style={{ ...words, fontSize: '16px', lineHeight: '22px' }}>
              <a
                href={href}
                className="mail-link"
                style={{ color: linkColor, fontWeight: 600, textDecoration: 'none' }}
              >
                {title}
              </a>
            </p>
            <p
              className="mail-text"
              style={{ ...words, fontSize: '20px', lineHeight: '26px', fontWeight: 800 }}
            >
              {price ?? 'See the price on its page'}{' '}
              {was === null ? null : (
                <span className="mail-small" style={{ ...small, fontWeight: 400 }}>
                  was <s>{was}</s>
                </span>
              )}
            </p>
            <p className="mail-small" style={{ ...small, lineHeight: '18px' }}>
              {[off, `at ${store}`].filter(Boolean).join(' · ')}
            </p>
            {notes.map((note) => (
              <p key={note} className="mail-small" style={{ ...small, lineHeight: '18px' }}>
                {note}
              </p>
            ))}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** Renders a link in the text as a button. */
export function NewsletterButton({
  href,
  label,
  colors,
}: {
  href: string;
  label: string;
  colors: MailColors;
}) {
  return (
    <MailColorsContext value={colors}>
      <MailButton href={href}>{label}</MailButton>
    </MailColorsContext>
  );
}

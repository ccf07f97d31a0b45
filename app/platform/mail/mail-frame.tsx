import { type CSSProperties, type ReactNode, use } from 'react';
import {
  MailButton,
  MailColorsContext,
  MailParagraph,
  MailPreview,
  MailSection,
} from './mail-elements.tsx';
import type { MailColors, MailSite } from './mail-kind.server.ts';

const font = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const text = {
  fontSize: '16px',
  lineHeight: '24px',
  color: '#1c1a17',
  margin: '0 0 16px',
} as const;
const small = {
  ...text,
  fontSize: '13px',
  lineHeight: '20px',
  color: '#615c53',
  margin: '0 0 8px',
} as const;

const ownColors: { light: MailColors; dark: MailColors } = {
  light: { link: '#0b6650', button: '#0b6650', onButton: '#ffffff' },
  dark: { link: '#5fd0a5', button: '#5fd0a5', onButton: '#05261c' },
};

const linkIn = ({ link }: MailColors): CSSProperties => ({
  color: link,
  textDecorationLine: 'none',
});

// Styles for dark mode. Email clients support no custom properties, so these are the site's tokens
// by value. The pairs stay legible if a client inverts colors by itself instead of using the media
// query.
const darkStyles = ({ link, button, onButton }: MailColors) => `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .mail-page, .mail-page > table > tbody > tr > td { background-color: #141312 !important; }
    .mail-card { background-color: #1d1c1a !important; border-color: #35322e !important; }
    .mail-text, .mail-card h1, .mail-card h2 { color: #f3f0ea !important; }
    .mail-small { color: #b3ada2 !important; }
    .mail-proof { background-color: #14332a !important; color: #a9e6cf !important; }
    .mail-link { color: ${link} !important; }
    .mail-button { background-color: ${button} !important; color: ${onButton} !important; }
    .mail-line { border-color: #35322e !important; }
  }
  @media (max-width: 480px) {
    .mail-card { padding: 24px 20px !important; border-radius: 0 !important; }
    .mail-stack td { display: block !important; width: auto !important; }
    .mail-stack .mail-picture { padding-bottom: 0 !important; }
  }
`;

/**
 * Renders the layout of every email: 600 px, the system's font, one button, text that is readable
 * without pictures.
 */
export function MailLayout({
  site,
  preview,
  title,
  button,
  reason,
  unsubscribe,
  children,
}: {
  site: MailSite;
  /** The text that an inbox shows beside the subject. */
  preview: string;
  title: string;
  /** The button. `path` is a path on this site. */
  button?: { path: string; label: string };
  /** The reason why this person gets this email. */
  reason: ReactNode;
  /** The unsubscribe link. Newsletters also link to the reader's preferences. */
  unsubscribe?: { path: string; label: string; preferencesPath?: string | undefined };
  children: ReactNode;
}) {
  const { light, dark } = site.colors ?? ownColors;
  return (
    <MailColorsContext value={light}>
      <html dir="ltr" lang="en">
        <head>
          <meta content="text/html; charset=UTF-8" httpEquiv="Content-Type" />
          <meta name="x-apple-disable-message-reformatting" />
          <meta name="color-scheme" content="light dark" />
          <meta name="supported-color-schemes" content="light dark" />
          <style>{darkStyles(dark)}</style>
        </head>
        <MailPreview>{preview}</MailPreview>
        <MailPage>
          <MailCard>
            <MailBrand site={site} />
            <h1 style={{ ...text, fontSize: '24px', lineHeight: '30px', fontWeight: 700 }}>
              {title}
            </h1>
            {children}
            {button && (
              <MailSection style={{ margin: '16px 0 24px' }}>
                <MailButton href={`${site.origin}${button.path}`}>{button.label}</MailButton>
              </MailSection>
            )}
            <hr
              className="mail-line"
              style={{
                width: '100%',
                border: 'none',
                borderTop: '1px solid #eaeaea',
                borderColor: '#e2ded4',
                margin: '8px 0 16px',
              }}
            />
            <MailNote>{reason}</MailNote>
            {unsubscribe && (
              <MailNote>
                <a
                  className="mail-link"
                  href={site.origin + unsubscribe.path}
                  style={linkIn(light)}
                  target="_blank"
                >
                  {unsubscribe.label}
                </a>
                {unsubscribe.preferencesPath === undefined ? null : (
                  <>
                    {' · '}
                    <a
                      className="mail-link"
                      href={site.origin + unsubscribe.preferencesPath}
                      style={linkIn(light)}
                      target="_blank"
                    >
                      Choose what you get
                    </a>
                  </>
                )}
              </MailNote>
            )}
            <p
              className="mail-small"
              style={{
                ...small,
                margin: 0,
                marginTop: 0,
                marginBottom: 0,
                marginLeft: 0,
                marginRight: 0,
              }}
            >
              {site.postalAddress
                .split('\n')
                .map((line) => line.trim())
                .filter(Boolean)
                .join(', ') || site.name}
            </p>
          </MailCard>
        </MailPage>
      </html>
    </MailColorsContext>
  );
}

/** Renders the head of an email: the price line beside the site's name, or the owner's picture. */
function MailBrand({ site }: { site: MailSite }) {
  const { name, origin, logoPath } = site;
  return (
    <a
      className="mail-text"
      href={origin}
      style={{
        color: '#1c1a17',
        display: 'inline-block',
        fontSize: '18px',
        fontWeight: 800,
        lineHeight: '28px',
        margin: '0 0 20px',
        textDecoration: 'none',
      }}
      target="_blank"
    >
      {logoPath ? (
        <img
          src={origin + logoPath}
          alt={name}
          height={44}
          style={{ borderRadius: '6px', display: 'block', marginLeft: '-4px' }}
        />
      ) : (
        <>
          <img
            src={`${origin}/mail-mark.png`}
            alt=""
            width={28}
            height={22}
            style={{ marginRight: '8px', verticalAlign: 'middle' }}
          />
          {name}
        </>
      )}
    </a>
  );
}

/** Renders the page. Some webmail drops the styles of `body`, so a table repeats them. */
function MailPage({ children }: { children: ReactNode }) {
  return (
    <body className="mail-page" style={{ backgroundColor: '#faf9f6', margin: 0, padding: 0 }}>
      <table
        border={0}
        width="100%"
        cellPadding="0"
        cellSpacing="0"
        role="presentation"
        align="center"
      >
        <tbody>
          <tr>
            <td
              style={{
                backgroundColor: '#faf9f6',
                fontFamily: font,
                margin: 0,
                padding: '24px 0',
              }}
            >
              {children}
            </td>
          </tr>
        </tbody>
      </table>
    </body>
  );
}

/** Renders the white card on the page. */
function MailCard({ children }: { children: ReactNode }) {
  return (
    <table
      align="center"
      width="100%"
      className="mail-card"
      border={0}
      cellPadding="0"
      cellSpacing="0"
      role="presentation"
      style={{
        maxWidth: '600px',
        backgroundColor: '#ffffff',
        border: '1px solid #e2ded4',
        borderRadius: '14px',
        padding: '32px 40px',
      }}
    >
      <tbody>
        <tr style={{ width: '100%' }}>
          <td>{children}</td>
        </tr>
      </tbody>
    </table>
  );
}

export function MailText({ children }: { children: ReactNode }) {
  return (
    <MailParagraph className="mail-text" style={text}>
      {children}
    </MailParagraph>
  );
}

export function MailNote({ children }: { children: ReactNode }) {
  return (
    <MailParagraph className="mail-small" style={small}>
      {children}
    </MailParagraph>
  );
}

/** Renders a link within the running text. `path` is a path on this site. */
export function MailLink({
  site,
  path,
  children,
}: {
  site: MailSite;
  path: string;
  children: ReactNode;
}) {
  const colors = use(MailColorsContext);
  return (
    <a
      className="mail-link"
      href={site.origin + path}
      style={{ ...linkIn(colors), fontWeight: 600 }}
      target="_blank"
    >
      {children}
    </a>
  );
}

import { type CSSProperties, createContext, type ReactNode, use } from 'react';
import type { MailColors } from './mail-kind.server.ts';

/** The colors of links and buttons, which the layout provides. */
export const MailColorsContext = createContext<MailColors>({
  link: '#0b6650',
  button: '#0b6650',
  onButton: '#ffffff',
});

/**
 * Renders one cell as a block in Outlook, which renders emails with Word and ignores the padding of
 * a `div`.
 */
export function MailSection({
  className,
  style,
  children,
}: {
  className?: string;
  style: CSSProperties;
  children: ReactNode;
}) {
  return (
    <table
      align="center"
      width="100%"
      border={0}
      cellPadding="0"
      cellSpacing="0"
      role="presentation"
      className={className}
      style={style}
    >
      <tbody>
        <tr>
          <td>{children}</td>
        </tr>
      </tbody>
    </table>
  );
}

/**
 * Renders a paragraph. Its margin has three values, and is also written as separate properties for
 * clients that drop the shorthand.
 */
export function MailParagraph({
  className,
  style,
  children,
}: {
  className?: string;
  style: CSSProperties & { margin: `${string} ${string} ${string}` };
  children: ReactNode;
}) {
  const [marginTop, marginRight, marginBottom] = style.margin.split(' ');
  const sides = { marginTop, marginRight, marginBottom, marginLeft: marginRight };
  return (
    <p className={className} style={{ ...style, ...sides }}>
      {children}
    </p>
  );
}

const previewLength = 150;
const invisible = '\u00a0\u200c\u200b\u200d\u200e\u200f\ufeff';

/**
 * Renders the text that an inbox shows beside the subject. Invisible characters keep the body out
 * of that line.
 */
export function MailPreview({ children }: { children: string }) {
  const text = children.slice(0, previewLength);
  return (
    <div
      style={{
        display: 'none',
        overflow: 'hidden',
        lineHeight: '1px',
        opacity: 0,
        maxHeight: 0,
        maxWidth: 0,
      }}
      data-skip-in-text
    >
      {text}
      {text.length < previewLength && <div>{invisible.repeat(previewLength - text.length)}</div>}
    </div>
  );
}

// Outlook ignores the padding of a link, so hidden spaces, stretched to 24 px and raised to 18 pt,
// replace it.
const hairSpaces = '&#8202;'.repeat(3);
const beforeLabel = `<!--[if mso]><i style="mso-font-width:400%;mso-text-raise:18" hidden>${hairSpaces}</i><![endif]-->`;
const afterLabel = `<!--[if mso]><i style="mso-font-width:400%" hidden>${hairSpaces}&#8203;</i><![endif]-->`;
const noPadding = { msoPaddingAlt: '0px' };
const raised = { ...noPadding, msoTextRaise: 9 };

export function MailButton({ href, children }: { href: string; children: string }) {
  const { button, onButton } = use(MailColorsContext);
  return (
    <a
      className="mail-button"
      href={href}
      style={{
        lineHeight: '100%',
        textDecoration: 'none',
        display: 'inline-block',
        maxWidth: '100%',
        ...noPadding,
        backgroundColor: button,
        color: onButton,
        borderRadius: '10px',
        fontSize: '16px',
        fontWeight: 600,
        padding: '12px 24px',
        paddingTop: '12px',
        paddingRight: '24px',
        paddingBottom: '12px',
        paddingLeft: '24px',
      }}
      target="_blank"
    >
      <span dangerouslySetInnerHTML={{ __html: beforeLabel }} />
      <span style={{ maxWidth: '100%', display: 'inline-block', lineHeight: '120%', ...raised }}>
        {children}
      </span>
      <span dangerouslySetInnerHTML={{ __html: afterLabel }} />
    </a>
  );
}

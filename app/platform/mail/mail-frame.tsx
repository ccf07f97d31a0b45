import type { CSSProperties, ReactNode } from 'react';
import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Hr } from '@react-email/hr';
import { Html } from '@react-email/html';
import { Link } from '@react-email/link';
import { Preview } from '@react-email/preview';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import type { MailSite } from './mail-kind.server.ts';

const font = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const text: CSSProperties = {
  fontSize: '16px',
  lineHeight: '24px',
  color: '#1c1a17',
  margin: '0 0 16px',
};
const small: CSSProperties = {
  ...text,
  fontSize: '13px',
  lineHeight: '20px',
  color: '#615c53',
  margin: '0 0 8px',
};

const link: CSSProperties = { color: '#0b6650' };

// Mailboxes know no custom properties, so these are the site's tokens by value. Where a mailbox inverts colours by
// itself instead of obeying the media query, the pairs stay legible.
const darkStyles = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .mail-page, .mail-page > table > tbody > tr > td { background-color: #141312 !important; }
    .mail-card { background-color: #1d1c1a !important; border-color: #35322e !important; }
    .mail-text, .mail-card h1, .mail-card h2 { color: #f3f0ea !important; }
    .mail-small { color: #b3ada2 !important; }
    .mail-proof { background-color: #14332a !important; color: #a9e6cf !important; }
    .mail-link { color: #5fd0a5 !important; }
    .mail-button { background-color: #5fd0a5 !important; color: #05261c !important; }
    .mail-line { border-color: #35322e !important; }
  }
  @media (max-width: 480px) { .mail-card { padding: 24px 20px !important; border-radius: 0 !important; } }
`;

/** The frame of every mail: 600 px, the system's font, one button, words that stand without pictures. */
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
  /** What a mailbox shows beside the subject. */
  preview: string;
  title: string;
  /** `path` is one of ours. */
  button?: { path: string; label: string };
  /** Why this person gets this mail. */
  reason: ReactNode;
  unsubscribe?: { path: string; label: string };
  children: ReactNode;
}) {
  return (
    <Html lang="en">
      <Head>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{darkStyles}</style>
      </Head>
      <Preview>{preview}</Preview>
      <Body
        className="mail-page"
        style={{ backgroundColor: '#faf9f6', fontFamily: font, margin: 0, padding: '24px 0' }}
      >
        <Container
          className="mail-card"
          style={{
            maxWidth: '600px',
            backgroundColor: '#ffffff',
            border: '1px solid #e2ded4',
            borderRadius: '14px',
            padding: '32px 40px',
          }}
        >
          <Text className="mail-small" style={{ ...small, fontWeight: 600, margin: '0 0 16px' }}>
            <Link
              className="mail-link"
              href={site.origin}
              style={{ ...link, textDecoration: 'none' }}
            >
              {site.name}
            </Link>
          </Text>
          <Heading
            as="h1"
            style={{ ...text, fontSize: '24px', lineHeight: '30px', fontWeight: 700 }}
          >
            {title}
          </Heading>
          {children}
          {button && (
            <Section style={{ margin: '16px 0 24px' }}>
              <Button
                className="mail-button"
                href={`${site.origin}${button.path}`}
                style={{
                  backgroundColor: '#0b6650',
                  color: '#ffffff',
                  borderRadius: '10px',
                  fontSize: '16px',
                  fontWeight: 600,
                  padding: '12px 24px',
                  textDecoration: 'none',
                }}
              >
                {button.label}
              </Button>
            </Section>
          )}
          <Hr className="mail-line" style={{ borderColor: '#e2ded4', margin: '8px 0 16px' }} />
          <MailNote>{reason}</MailNote>
          {unsubscribe && (
            <MailNote>
              <Link className="mail-link" href={site.origin + unsubscribe.path} style={link}>
                {unsubscribe.label}
              </Link>
            </MailNote>
          )}
          <Text className="mail-small" style={{ ...small, margin: 0 }}>
            {site.postalAddress
              .split('\n')
              .map((line) => line.trim())
              .filter(Boolean)
              .join(', ') || site.name}
          </Text>
        </Container>
      </Body>
    </Html>
  );
}

export function MailText({ children }: { children: ReactNode }) {
  return (
    <Text className="mail-text" style={text}>
      {children}
    </Text>
  );
}

export function MailNote({ children }: { children: ReactNode }) {
  return (
    <Text className="mail-small" style={small}>
      {children}
    </Text>
  );
}

/** A link within the running text; `path` is one of ours. */
export function MailLink({
  site,
  path,
  children,
}: {
  site: MailSite;
  path: string;
  children: ReactNode;
}) {
  return (
    <Link className="mail-link" href={site.origin + path} style={{ ...link, fontWeight: 600 }}>
      {children}
    </Link>
  );
}

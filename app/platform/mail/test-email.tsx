import { MailLayout, MailText } from './mail-frame.tsx';
import type { MailSite } from './mail-kind.server.ts';

interface Props {
  /** The time when the test was requested, as text. */
  askedAt: string;
}

export function subject(_props: Props, site: MailSite): string {
  return `Test email from ${site.name}`;
}

/** Renders the email of `deals mail test`. */
export default function TestEmail({ askedAt, site }: Props & { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview="Email from this site is delivered."
      title="Email works"
      button={{ path: '/', label: `Open ${site.name}` }}
      reason="You are receiving this email because an administrator asked for a test."
    >
      <MailText>
        This email was requested on {askedAt}. If you can read it, email from this site is
        delivered.
      </MailText>
    </MailLayout>
  );
}

import { MailLayout, MailNote, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';

export interface ResetPasswordProps {
  path: string;
}

export function subject(_props: ResetPasswordProps, site: MailSite): string {
  return `Set a new password for ${site.name}`;
}

export default function ResetPasswordEmail({
  path,
  site,
}: ResetPasswordProps & { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview="Here is the link to set a new password."
      title="Set a new password"
      button={{ path, label: 'Set a new password' }}
      reason={`You get this mail because somebody asked for a new password at ${site.name}. Was it not you? Then do nothing: your password stays.`}
    >
      <MailText>This link lets you choose a new password. All your sessions end with it.</MailText>
      <MailNote>The link works once, for 30 minutes.</MailNote>
    </MailLayout>
  );
}

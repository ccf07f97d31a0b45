import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';

export interface ProviderDisconnectedProps {
  fullName: string;
  /** What the provider is called. */
  provider: string;
}

export function subject({ provider }: ProviderDisconnectedProps, site: MailSite): string {
  return `${provider} no longer signs you in at ${site.name}`;
}

export default function ProviderDisconnectedEmail({
  fullName,
  provider,
  site,
}: ProviderDisconnectedProps & { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview="If it was you, there is nothing to do."
      title={`${provider} was disconnected`}
      reason={`You get this mail because a way to sign in at ${site.name} was removed.`}
    >
      <MailText>Hello {fullName},</MailText>
      <MailText>
        your account at {provider} does not open your account here any more. Was it not you?{' '}
        <MailLink site={site} path="/profile/providers">
          Connect it again
        </MailLink>{' '}
        and end all sessions that you do not know.
      </MailText>
    </MailLayout>
  );
}

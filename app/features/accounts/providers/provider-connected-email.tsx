import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';

export interface ProviderConnectedProps {
  fullName: string;
  /** What the provider is called. */
  provider: string;
  /** Nobody had proved the address before, so what was there is gone. */
  isFirstProof?: boolean;
}

export function subject({ provider }: ProviderConnectedProps, site: MailSite): string {
  return `${provider} signs you in at ${site.name} from now on`;
}

export default function ProviderConnectedEmail({
  fullName,
  provider,
  isFirstProof = false,
  site,
}: ProviderConnectedProps & { site: MailSite }) {
  return (
    <MailLayout
      site={site}
      preview="If it was you, there is nothing to do."
      title={`${provider} was connected`}
      reason={`You get this mail because a way to sign in at ${site.name} was added.`}
    >
      <MailText>Hello {fullName},</MailText>
      <MailText>
        your account at {provider} opens your account here from now on. Was it not you?{' '}
        <MailLink site={site} path="/profile/providers">
          Disconnect it
        </MailLink>{' '}
        and end all sessions that you do not know.
      </MailText>
      {isFirstProof ? (
        <MailText>
          Nobody had verified your address here before, and anybody may have signed up with it: the
          password and all sessions from before are gone. You can set a password on your profile.
        </MailText>
      ) : null}
    </MailLayout>
  );
}

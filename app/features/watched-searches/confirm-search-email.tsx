import { MailLayout, MailLink, MailText } from '#app/platform/mail/mail-frame.tsx';
import type { InMail } from '#app/platform/mail/mail-kind.server.ts';
import type { SearchRequest } from './confirm-search.server.ts';
import { cadenceWords } from './watch-cadence.ts';

interface Props extends SearchRequest {
  confirmPath: string;
}

export function subject({ name }: Props): string {
  return `Please confirm your watched search: ${name}`;
}

export default function ConfirmSearchEmail(request: InMail<Props>) {
  const { site, name, address, cadence, confirmPath } = request;
  return (
    <MailLayout
      site={site}
      preview="One step, and we watch this search for you."
      title="Please confirm your watched search"
      button={{ path: confirmPath, label: 'Watch this search' }}
      reason={`You are receiving this email because somebody entered this address to watch a search at ${site.name}. If it was not you, ignore this email: nothing is sent without your confirmation, and after three days the request is forgotten.`}
    >
      <MailText>
        <MailLink site={site} path={address}>
          {name}
        </MailLink>
      </MailText>
      <MailText>We write to you {cadenceWords[cadence]}.</MailText>
    </MailLayout>
  );
}

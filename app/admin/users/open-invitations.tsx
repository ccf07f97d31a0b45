import type { OpenInvitation } from '#app/features/accounts/people/invite-staff.server.ts';
import { nameRole } from '#app/features/accounts/people/role-choice.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { fullTime } from '#app/platform/time-words.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import { RelativeTime } from '../frame/relative-time.tsx';
import { StatusPill } from '../frame/status-pill.tsx';
import styles from './open-invitations.module.css';

/** Open invitations, shown above the list of users. */
export function OpenInvitations({
  invitations,
  now,
  mayAct,
}: {
  invitations: OpenInvitation[];
  now: Date;
  mayAct: boolean;
}) {
  const { timeZone } = useSite();
  if (invitations.length === 0) return null;
  return (
    <section aria-labelledby="open-invitations" className={styles.part}>
      <h2 id="open-invitations">Open invitations</h2>
      <ul className={styles.list}>
        {invitations.map((one) => (
          <li key={one.id} className={styles.row}>
            <div className={styles.words}>
              <b>{one.email}</b>
              <span className="row gap-tight">
                <StatusPill variant="plain">{nameRole(one)}</StatusPill>
                {one.isOver ? <StatusPill variant="warn">Expired</StatusPill> : null}
                <MailPill state={one.mail} />
              </span>
              <span className="small">
                Invited <RelativeTime at={one.sent_at} now={now} />
                {one.inviter === null ? '' : ` by ${one.inviter}`}
                {one.isOver ? null : `, valid until ${fullTime(one.expires_at, timeZone)}`}
              </span>
            </div>
            {mayAct ? <InvitationActs {...one} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function InvitationActs({ id, email }: OpenInvitation) {
  return (
    <div className="row gap-tight">
      <PostButton
        fields={{ intent: 'resend-invitation', id: String(id) }}
        aria-label={`Send again to ${email}`}
      >
        Send again
      </PostButton>
      <ConfirmAct
        label="Withdraw"
        question="Withdraw this invitation?"
        detail={<p>The links emailed to {email} will no longer work.</p>}
        fields={{ intent: 'withdraw-invitation', id: String(id) }}
      />
    </div>
  );
}

function MailPill({ state }: { state: OpenInvitation['mail'] }) {
  if (state === 'failed') return <StatusPill variant="bad">Email failed</StatusPill>;
  if (state === 'kept') return <StatusPill variant="warn">Kept (no email server)</StatusPill>;
  return state === 'queued' ? <StatusPill variant="plain">Email on its way</StatusPill> : null;
}

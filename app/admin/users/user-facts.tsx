import type { ReactNode } from 'react';
import type { UserRow } from '#app/features/accounts/people/user-table-queries.server.ts';
import { RelativeTime } from '../frame/relative-time.tsx';
import { RoleBadge } from './role-badge.tsx';
import styles from './user-pages.module.css';

/** What staff may know of a user. */
export function UserFacts({ user, now }: { user: UserRow; now: Date }) {
  const facts: [string, ReactNode][] = [
    ['Name', user.full_name || 'No name'],
    ['Email', `${user.email} (${user.email_verified ? 'verified' : 'not verified yet'})`],
    ['Role', <RoleBadge key="role" role={user.role} />],
    ['Second step', user.two_factor_enabled ? 'On' : 'Off'],
    ['Passkeys', user.passkeyCount === 0 ? 'None' : String(user.passkeyCount)],
    ['Joined', <RelativeTime key="joined" at={user.created_at} now={now} />],
    [
      'Last seen',
      user.lastSeenAt ? <RelativeTime key="seen" at={user.lastSeenAt} now={now} /> : '-',
    ],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

import type { ReactNode } from 'react';
import { data, useSearchParams } from 'react-router';
import type { Route } from './+types/two-factor-page';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { identityWays } from '#app/features/accounts/confirm-identity.server.ts';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import type { FormAnswer } from '#app/features/accounts/form-answer.ts';
import { safeReturnPath } from '#app/features/accounts/sessions/safe-return-path.ts';
import {
  requireVerifiedUser,
  type SessionUser,
} from '#app/features/accounts/sessions/session-context.server.ts';
import { drawQrCode } from '#app/features/accounts/two-factor/qr-code.server.ts';
import { QrCode, type QrPattern } from '#app/features/accounts/two-factor/qr-code.tsx';
import { toBase32, totpAddress } from '#app/features/accounts/two-factor/totp.server.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
  countBackupCodes,
  endTwoFactor,
  isBegunKey,
} from '#app/features/accounts/two-factor/two-factor.server.ts';
import { useFailedAct } from '#app/islands/failed-acts/failed-act-context.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { PrimaryLink } from '#app/ui/button.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { accountMeta, PanelForm, PanelLink } from './account-panel.tsx';
import { readAccountPost } from './read-account-post.server.ts';
import { summariseWays, type WaysSummary } from './summarise-ways.server.ts';
import { WaysToSignIn } from './ways-to-sign-in.tsx';
import styles from './two-factor-page.module.css';

type Answer = FormAnswer & {
  key?: string;
  address?: string;
  qr?: QrPattern;
  backupCodes?: string[];
};

export async function loader({ context, request }: Route.LoaderArgs) {
  const user = requireVerifiedUser(context, request);
  const services = appServices(context);
  return {
    isOn: user.hasTwoFactor,
    backupCodeCount: await countBackupCodes(services, user.id),
    ways: await identityWays(services, withoutApp(user)),
    summary: await summariseWays(services, user),
  };
}

/**
 * Returns the user without the authenticator app being set up or removed, which cannot confirm
 * their identity here.
 */
function withoutApp(user: SessionUser): SessionUser {
  return { ...user, hasTwoFactor: false };
}

/** Each step requires an identity check, so that an unlocked screen cannot lock the user out. */
export async function action({ context, request }: Route.ActionArgs) {
  const user = requireVerifiedUser(context, request);
  const post = await readAccountPost(context, request);
  const { services, text, intent } = post;

  if (intent === 'confirm' && !user.hasTwoFactor) {
    const backupCodes = await confirmTwoFactor(services, user.id, text('code').slice(0, 40));
    if (backupCodes)
      return data<Answer>({ ok: true, message: 'Two-factor authentication is on.', backupCodes });
    // The key is shown again only if this user has seen it, which required the identity check.
    const isKnown = await isBegunKey(services, user.id, text('key').slice(0, 100));
    if (!isKnown) return post.refuse({ message: accountMessages.wrongCode });
    return data<Answer>(
      { ...(await showKey()), ok: false, errors: { code: accountMessages.wrongCode } },
      { status: 422 },
    );
  }
  if (intent !== 'begin' && intent !== 'end') return post.fail(400);
  const refused = await post.refuseStranger(withoutApp(user));
  if (refused) return refused;
  if (intent === 'end') {
    await endTwoFactor(services, user.id);
    return data<Answer>({ ok: true, message: 'Two-factor authentication is off.' });
  }
  if (user.hasTwoFactor) return post.fail(409);
  return data<Answer>({ ok: true, ...(await showKey()) });

  async function showKey() {
    const key = await beginTwoFactor(services, user.id);
    const { siteName } = await readSiteSettings(services.db);
    const address = totpAddress(key, { site: siteName, email: user.email });
    return { key: toBase32(key), address, qr: drawQrCode(address) };
  }
}

export const headers = keepRetryAfter;

export const meta = accountMeta('Two-factor authentication');

export default function TwoFactorPage({ loaderData, actionData }: Route.ComponentProps) {
  const answer: Answer | undefined = actionData;
  // After a failed confirmation, the page keeps the key that the form sent.
  const failed = useFailedAct();
  const key = answer?.key ?? failed?.values['key']?.at(-1);
  const [query] = useSearchParams();
  const returnTo = safeReturnPath(query.get('returnTo'));
  const { isOn, ways, backupCodeCount, summary } = loaderData;
  if (answer?.backupCodes) {
    return (
      <Step number={3} answer={answer} summary={summary}>
        <BackupCodes codes={answer.backupCodes} returnTo={returnTo} />
      </Step>
    );
  }
  if (key && !isOn) {
    return (
      <Step number={2} answer={answer} summary={summary}>
        <KeyForm {...answer} secret={key} returnTo={returnTo} />
      </Step>
    );
  }
  return (
    <Step number={isOn ? null : 1} answer={answer} summary={summary}>
      <PanelForm
        fields={{ intent: isOn ? 'end' : 'begin' }}
        submitLabel={isOn ? 'Turn it off' : 'Set it up'}
        variant={isOn ? 'danger' : 'primary'}
        isMain
      >
        <p>
          {isOn
            ? `Two-factor authentication is on. You have ${backupCodeCount} backup codes left.`
            : 'Signing in will ask for your password and a code from an authenticator app.'}
        </p>
        <IdentityField ways={ways} error={answer?.errors?.['password']} />
      </PanelForm>
    </Step>
  );
}

const steps = ['Confirm it’s you', 'Scan the code', 'Save your backup codes'];

/** Renders the current step of the set-up, or no step once it is done. */
function Step({
  number,
  answer,
  summary,
  children,
}: {
  number: number | null;
  answer: Answer | undefined;
  summary: WaysSummary;
  children: ReactNode;
}) {
  return (
    <WaysToSignIn current="two-factor" summary={summary}>
      {number === null ? null : (
        <ol className={styles.steps} aria-label="Steps">
          {steps.map((step, index) => (
            <li key={step} aria-current={index + 1 === number ? 'step' : undefined}>
              {step}
            </li>
          ))}
        </ol>
      )}
      <FormNotice text={answer?.message} kind={answer?.ok ? 'success' : 'error'} />
      {children}
    </WaysToSignIn>
  );
}

/** Shows the key as a QR code and as text, and asks for the first code of the app. */
function KeyForm({
  secret,
  address,
  qr,
  errors,
  returnTo,
}: Partial<Answer> & { secret: string; returnTo: string }) {
  const back =
    returnTo === '/'
      ? '/profile/two-factor'
      : (`/profile/two-factor?${new URLSearchParams({ returnTo }).toString()}` as const);
  return (
    <div className={styles.keyed}>
      {qr ? <QrCode code={qr} label="QR code for your authenticator app" /> : null}
      <div className="stack gap-5">
        <p>Scan the code with your authenticator app, or type the key into it.</p>
        <p className={styles.key}>
          <code className="mono">{secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton text={secret} label="Copy the key" />
        </p>
        {address ? (
          <p>
            On this device: <a href={address}>open the app</a>
          </p>
        ) : null}
        <PanelForm fields={{ intent: 'confirm', key: secret }} submitLabel="Turn it on" isMain>
          <TextField
            label="Code"
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            maxLength={10}
            hint="The six-digit code that the app shows now."
            error={errors?.['code']}
          />
        </PanelForm>
        <PanelLink to={back}>Back</PanelLink>
      </div>
    </div>
  );
}

function BackupCodes({ codes, returnTo }: { codes: string[]; returnTo: string }) {
  return (
    <>
      <p>
        Keep these backup codes where you can find them without your phone. Each works once, and we
        won’t show them again.
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row gap-3">
        <PrimaryLink to={returnTo === '/' ? '/profile' : returnTo}>
          {returnTo === '/' ? 'Back to your profile' : 'Continue'}
        </PrimaryLink>
        <CopyButton text={codes.join('\n')} label="Copy the backup codes" />
      </div>
    </>
  );
}

import { useSearchParams } from 'react-router';
import { alertChannelMessages } from '#app/features/alert-channels/alert-channel-messages.ts';
import type { AlertChannel } from '#app/features/alert-channels/alert-channel-queries.server.ts';
import {
  fieldsOfOwn,
  type OwnChannelKind,
  ownChannelKinds,
} from '#app/features/alert-channels/own-channel-kinds.ts';
import { channelWords } from '#app/features/channels/channel-fields.ts';
import { HiddenFields, PostButton } from '#app/ui/act-form.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import styles from './notified-browsers.module.css';

const path = '/price-alerts';

/** Notices, keyed by the parameter in the list's URL. */
const notices = {
  'channel-added': alertChannelMessages.added,
  'channel-proved': alertChannelMessages.proved,
  'channel-removed': alertChannelMessages.removed,
};

/** The person's own channels, which get alerts in addition to or instead of email. */
export function OwnChannels({
  channels,
  error,
}: {
  channels: readonly AlertChannel[];
  error: string | undefined;
}) {
  const [search] = useSearchParams();
  const notice = Object.entries(notices).find(([name]) => search.has(name))?.[1];
  return (
    <section id="channels" className={styles.section} aria-labelledby="own-channels">
      <h2 id="own-channels">Your channels</h2>
      <p>
        Price alerts and watched searches can also notify your own channel. In each one, choose
        emails, messages or both.
      </p>
      <div>
        <FormNotice text={error === undefined ? notice : undefined} kind="success" />
        <FormNotice text={error} kind="error" />
      </div>
      {channels.length > 0 ? (
        <ul className={styles.list}>
          {channels.map((channel) => (
            <li key={channel.id} data-key={channel.id}>
              <span>
                {nameOf(channel)}
                <span className="small">{stateWords[channel.state]}</span>
              </span>
              <PostButton
                fields={{ intent: 'remove-channel', id: channel.id }}
                form={{ action: path }}
                aria-label={`Remove: ${nameOf(channel)}`}
              >
                Remove
              </PostButton>
              {channel.state === 'waits for its code' ? <CodeForm id={channel.id} /> : null}
            </li>
          ))}
        </ul>
      ) : null}
      <div className="row gap-2">
        {ownChannelKinds.map((kind) => (
          <ButtonLink key={kind} to={`${path}?channel=${kind}`} swap="push">
            Add {channelWords[kind].label}
          </ButtonLink>
        ))}
      </div>
    </section>
  );
}

const nameOf = ({ kind, place }: AlertChannel) => `${channelWords[kind].label}: ${place}`;

const stateWords: Record<AlertChannel['state'], string> = {
  on: 'gets your alerts',
  stopped: 'stopped, because messages could not be delivered',
  'waits for its code': 'waiting for the code that we sent to it',
  'code ended': 'the code has expired; remove it and add it again',
};

function CodeForm({ id }: { id: number }) {
  return (
    <form method="post" action={path} className={styles.code} data-in-place="">
      <HiddenFields fields={{ intent: 'prove-channel', id }} />
      <TextField
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        required
      />
      <Button type="submit" variant="primary">
        Confirm
      </Button>
    </form>
  );
}

const setup: Record<OwnChannelKind, string> = {
  ntfy: 'Choose a topic and subscribe to it in the ntfy app. On ntfy.sh anyone who knows its name can read it.',
  telegram: 'Create your own bot with @BotFather, send it any message, and copy its token here.',
  discord:
    'In a channel of your own server, open Channel settings, Integrations, create a webhook and copy its URL.',
  matrix: 'Use the access token of an account that is in the room.',
  gotify: 'Create an application on your Gotify server and copy its token.',
};

/** The form for a new channel, over the list. Secrets are never shown again. */
export function AddChannelDialog({
  kind,
  error,
  errors,
}: {
  kind: OwnChannelKind;
  error: string | undefined;
  errors: Readonly<Record<string, string>>;
}) {
  const { label } = channelWords[kind];
  return (
    <ModalDialog title={`Add ${label}`}>
      <form
        method="post"
        action={`${path}?channel=${kind}`}
        className={forms.stack}
        data-in-place=""
      >
        <HiddenFields fields={{ intent: 'add-channel', kind }} />
        <p>{setup[kind]} We send a code there, which you enter on this page.</p>
        {fieldsOfOwn(kind).map((field) => {
          const name = `setting.${field.name}`;
          const isSecret = field.type === 'secret';
          return (
            <TextField
              key={name}
              name={name}
              label={field.label}
              hint={field.hint}
              error={errors[name]}
              type={isSecret ? 'password' : 'text'}
              autoComplete={isSecret ? 'new-password' : 'off'}
              required={!field.isOptional}
              defaultValue={field.usual ?? ''}
              maxLength={500}
            />
          );
        })}
        <FormNotice text={error} kind="error" />
        <div className={forms.actions}>
          <Button type="submit" variant="primary">
            Send code
          </Button>
          <ButtonLink to={path} swap="replace">
            Cancel
          </ButtonLink>
        </div>
      </form>
    </ModalDialog>
  );
}

import { data } from 'react-router';
import type { Route } from './+types/stop-mails-page';
import { appServices } from '#app/platform/app-context.server.ts';
import { readStopToken, type StopWish } from '#app/platform/mail/stop-token.server.ts';
import { stopByLinkOfMessage } from '#app/features/alert-channels/end-alert-channel.server.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { Button, ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { DeadLinkPanel } from '#app/ui/dead-link-panel.tsx';
import { DonePanel } from '#app/ui/done-panel.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';

/** Shows what the link would stop and changes nothing, since mail scanners open links. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const asked = await readStopToken(appServices(context).db, token);
  return data({ what: asked && wordsFor(asked) }, { status: asked ? 200 : 404 });
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db } = appServices(context);
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const asked = await readStopToken(db, token);
  if (!asked) return data({ isDone: false }, { status: 404 });
  await stopByLinkOfMessage(db, asked);
  return data({ isDone: true });
}

export function meta({ matches }: Route.MetaArgs) {
  const name = matches[0].loaderData?.site.name ?? 'Deal Hub';
  return [{ title: `Stop emails | ${name}` }, { name: 'robots', content: 'noindex' }];
}

/** Describes what a link stops. An email that names several alerts of a deal stops all of them. */
function wordsFor({ what, id }: StopWish): keyof typeof words {
  return what === 'alert' && id.includes('-') ? 'several' : what;
}

const words: Record<
  StopWish['what'] | 'several',
  { question: string; button: string; done: string }
> = {
  alert: {
    question: 'This stops this price alert.',
    button: 'Stop this alert',
    done: 'This price alert is stopped. You will get no more messages about it.',
  },
  several: {
    question: 'This stops these price alerts.',
    button: 'Stop these alerts',
    done: 'These price alerts are stopped. You will get no more messages about them.',
  },
  alerts: {
    question: 'This stops all of your price alerts.',
    button: 'Stop all my price alerts',
    done: 'All of your price alerts are stopped.',
  },
  watcher: {
    question: 'This stops all price alerts for the address that received the email.',
    button: 'Stop all my price alerts',
    done: 'All of your price alerts are stopped.',
  },
  request: {
    question:
      'This deletes the request to watch a price or a search that was made with your address.',
    button: 'Delete the request',
    done: 'The request is deleted. You will get no emails about it.',
  },
  search: {
    question: 'This stops messages about this search.',
    button: 'Stop watching this search',
    done: 'You will get no more messages about this search.',
  },
  channel: {
    question: 'This stops all messages to the channel that contained this link.',
    button: 'Stop this channel',
    done: 'This channel no longer gets messages.',
  },
  reminders: {
    question: 'This turns off reminders before favorites end.',
    button: 'Turn reminders off',
    done: 'You will get no more reminders about your favorites.',
  },
  follows: {
    question: 'This stops the weekly email about what you follow. You still follow it.',
    button: 'Stop this weekly email',
    done: 'You will get no more weekly emails about what you follow.',
  },
};

export default function StopMailsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { what } = loaderData;
  if (what === null) {
    return (
      <DeadLinkPanel actions={<PrimaryLink to="/price-alerts">Price Alerts</PrimaryLink>}>
        <p>{accountMessages.linkDead}</p>
        <p>You can stop any alert on the price alerts page.</p>
      </DeadLinkPanel>
    );
  }
  const { question, button, done } = words[what];
  if (actionData?.isDone) {
    return (
      <NarrowPage title="Stop these emails?">
        <DonePanel
          icon="check"
          title="Done"
          actions={<ButtonLink to="/">Go to Homepage</ButtonLink>}
        >
          {done}
        </DonePanel>
      </NarrowPage>
    );
  }
  return (
    <NarrowPage title="Stop these emails?" intro={question}>
      <form method="post" data-in-place="">
        <Button type="submit" variant="primary" isWide>
          {button}
        </Button>
      </form>
    </NarrowPage>
  );
}

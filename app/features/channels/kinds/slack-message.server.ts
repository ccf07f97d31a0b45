import { type ChannelMessage, ChannelRefusal } from '#app/features/channels/channel-kind.server.ts';

/** characters of a section */
export const longestSlackText = 3_000;
/** One message a second: https://docs.slack.dev/apis/web-api/rate-limits */
export const slackGapSeconds = 1.2;

export function escapeForSlack(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Sends a message with its picture, or without one that Slack can't fetch. */
export async function sendMessage(
  { text, picture }: ChannelMessage,
  send: (content: object) => Promise<unknown>,
): Promise<unknown> {
  const section = { type: 'section', text: { type: 'mrkdwn', text } };
  const plain = { text, blocks: [section] };
  if (!picture) return send(plain);
  const image = { type: 'image', image_url: picture.url, alt_text: picture.alt };
  try {
    return await send({ ...plain, blocks: [section, image] });
  } catch (error) {
    const isPicture = error instanceof ChannelRefusal && /invalid_blocks/.test(error.message);
    if (!isPicture) throw error;
    return send(plain);
  }
}

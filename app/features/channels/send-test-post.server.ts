import type { AppServices } from '#app/platform/app-context.server.ts';
import { ask } from '#database/ask.ts';
import { type ChannelWorker, sendChannelPosts } from './send-channel-posts.server.ts';

/**
 * Sends a test post at once, even while the channel is off or waits. Returns the error, or `null`
 * if the post was accepted.
 */
export async function sendTestPost(
  services: AppServices,
  channelId: number,
  worker: ChannelWorker = {},
): Promise<string | null> {
  const { db } = services;
  const postId = await ask(db).value<number>`
    insert into channel_posts (channel_id, key, event)
      select id, 'test ' || gen_random_uuid(), 'test' from channels where id = ${channelId} returning id`;
  if (postId === null) return 'the channel no longer exists';
  await sendChannelPosts(services, { ...worker, postId });
  return ask(db).value<string>`
    select coalesce(last_error, state) from channel_posts where id = ${postId} and state <> 'sent'`;
}

import type { ChannelEvent } from '#database/schema/channel-tables.ts';

export const channelMessages = {
  saveFailed: 'Failed to save channel',
  deleteFailed: 'Failed to delete channel',
  testFailed: 'Failed to send the test post',
  tooMany: 'There are already 20 channels. Delete one that is no longer needed.',
  noEvent: 'Choose at least one event',
  badAddress: 'Enter an address such as https://example.com',
  secretAgain: 'Enter it again, because the server changed',
  oneQuietHour: 'Choose both hours, or none',
  tooLong: 'Too long for this kind of channel',
};

export const channelEventLabels: Record<ChannelEvent, string> = {
  low: 'A price is a proven 90-day low',
  new: 'A new deal appears',
  ended: 'A posted deal ends',
  post: 'A blog post is published',
};

export const channelEventNames: Record<ChannelEvent | 'test', string> = {
  low: 'Proven low',
  new: 'New deal',
  ended: 'Ended deal',
  post: 'Blog post',
  test: 'Test post',
};

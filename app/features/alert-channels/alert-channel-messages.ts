export const alertChannelMessages = {
  added: 'We sent a code to your channel. Enter it below within 15 minutes.',
  proved: 'Your channel now gets your alerts.',
  removed: 'Channel removed.',
  tooMany: 'You already have five channels. Remove one first.',
  present: 'This channel is already in your list.',
  unproved: 'Verify your email address first, so that your alerts cannot reach a stranger.',
  unreachable:
    'The server could not be reached. It must have a public address and use port 80 or 443.',
  refused: 'The channel refused the code. Check its address and token.',
  noChat: 'Send your bot a message in Telegram first, then try again.',
  wrongCode: 'That code is incorrect. Please try again.',
  codeEnded:
    'This code has expired, or you entered it wrong too many times. Add the channel again.',
  gone: 'This channel no longer exists.',
  tooManyCodes: 'Too many codes were sent. Please try again later.',
};

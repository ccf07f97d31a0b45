/** The words of the contact form, as the specification has them where it has any. */
/** ` within 24 hours`; nothing where the owner promises nothing. */
export const withinHours = (hours: number | null) =>
  hours === null ? '' : ` within ${hours} hours`;

export const contactMessages = {
  sent: 'Message Sent!',
  sendAnother: 'Send Another Message',
  send: 'Send Message',
  sending: 'Sending...',
  checkFields: 'Your message was not sent. Please look at the fields below.',
  nameRequired: 'Name is required',
  nameTooLong: 'Name must be at most 100 characters',
  oneLine: 'Must be one line of plain text',
  emailRequired: 'Email is required',
  emailInvalid: 'Please enter a valid email address',
  subjectRequired: 'Subject is required',
  subjectTooLong: 'Subject must be at most 150 characters',
  messageRequired: 'Message is required',
  messageTooLong: 'Message must be at most 5,000 characters',
  failed: 'Failed to send your message. Please try again.',
} as const;

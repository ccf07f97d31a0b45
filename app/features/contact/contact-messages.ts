/** Messages of the contact form. The specification's messages are quoted word for word. */
/** Returns ` within 24 hours`, or an empty text if the owner promises no reply time. */
export const withinHours = (hours: number | null) =>
  hours === null ? '' : ` within ${hours} hours`;

export const contactMessages = {
  sent: 'Message Sent!',
  sendAnother: 'Send Another Message',
  send: 'Send Message',
  sending: 'Sending...',
  checkFields: 'Your message was not sent. Please check the fields below.',
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

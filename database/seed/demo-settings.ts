/** The demo shop's settings, with texts from the specification. Removed with the demo shop. */
export const demoSettings = {
  figuresMode: 'document' as const,
  contactEmail: 'support@dealhub.example',
  contactPhone: '+1 (555) 123-4567',
  supportTimes: [
    { days: 'Monday to Friday', hours: '9AM–6PM EST' },
    { days: 'Saturday', hours: '10AM–4PM EST' },
    { days: 'Sunday', hours: 'Closed' },
  ],
  replyHours: 24,
  openingYear: 2025,
  affiliateProgrammes: ['Amazon Services LLC Associates Program'],
};

/** The author of these settings. Saving a setting makes the owner its author. */
export const demoAuthor = 'demo';

export const settingsMessages = {
  saved: 'Settings saved.',
  changedMeanwhile: 'Someone else saved these settings in the meantime.',
  wouldShutOut:
    'You have no two-factor yourself, so this would lock you out at once. Set it up first, or confirm below to require it anyway.',
  changesCurrency: 'A currency change is in progress. You can choose another one when it is done.',
  logoSaved: 'Logo saved.',
  logoRemoved: 'Logo removed.',
  logoMissing: 'Choose a file, or enter an address.',
  mailServerSaved: 'Email server saved.',
  mailServerRemoved: 'Email server removed. Emails are kept in the outbox.',
  passwordAgain: 'Enter the password for this server and user.',
} as const;

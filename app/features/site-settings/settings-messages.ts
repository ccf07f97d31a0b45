export const settingsMessages = {
  saved: 'Settings saved.',
  changedMeanwhile: 'Someone else saved these settings in the meantime.',
  wouldShutOut:
    'You have no two-factor yourself, so this would lock you out at once. Set it up first, or confirm below to require it anyway.',
  changesCurrency: 'A currency change is in progress. You can choose another one when it is done.',
  brandSaved: 'Brand saved.',
  brandRestored: 'Default brand restored.',
  brandChangedMeanwhile:
    'Someone else saved the brand in the meantime. Save again to overwrite their changes.',
  pictureGone: 'This picture is no longer stored. Choose it again.',
  mailServerSaved: 'Email server saved.',
  mailServerRemoved: 'Email server removed. Emails are kept in the outbox.',
  passwordAgain: 'Enter the password for this server and user.',
} as const;

export const settingsMessages = {
  saved: 'Settings saved.',
  changedMeanwhile: 'Somebody else saved these settings meanwhile.',
  wouldShutOut:
    'You have no second step yourself, so this would shut you out at once. Set yours up first, or confirm below to demand it all the same.',
  logoSaved: 'Logo saved.',
  logoRemoved: 'Logo removed.',
  logoMissing: 'Choose a file, or enter an address.',
} as const;

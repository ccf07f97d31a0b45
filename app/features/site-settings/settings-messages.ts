export const settingsMessages = {
  saved: 'Settings saved.',
  changedMeanwhile: 'Somebody else saved these settings in the meantime.',
  wouldShutOut:
    'You have no second step yourself, so this would lock you out at once. Set yours up first, or confirm below to require it anyway.',
  logoSaved: 'Logo saved.',
  logoRemoved: 'Logo removed.',
  logoMissing: 'Choose a file, or enter an address.',
} as const;

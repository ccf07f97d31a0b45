export const settingsMessages = {
  saved: 'Settings saved.',
  changedMeanwhile: 'Somebody else saved these settings meanwhile.',
  logoSaved: 'Logo saved.',
  logoRemoved: 'Logo removed.',
  logoMissing: 'Choose a file, or enter an address.',
} as const;

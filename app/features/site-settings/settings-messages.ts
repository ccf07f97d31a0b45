export const settingsMessages = {
  saved: 'Settings saved.',
  changedMeanwhile: 'Somebody else saved these settings in the meantime.',
  wouldShutOut:
    'You have no second step yourself, so this would lock you out at once. Set yours up first, or confirm below to require it anyway.',
  changesCurrency:
    'A change of the currency is under way. You can choose another one when it is done.',
  logoSaved: 'Logo saved.',
  logoRemoved: 'Logo removed.',
  logoMissing: 'Choose a file, or enter an address.',
} as const;

export const maintenanceMessages = {
  saved: 'Maintenance settings saved',
  opened: 'The site is open to everyone.',
  invalidAddress: (ip: string) => `Please enter a valid IP address (e.g., ${ip})`,
  invalidMessage: 'Enter a message of at most 500 characters',
  invalidName: 'Enter a name of at most 60 characters',
  wouldLockOut: (ip: string) =>
    `Your own address (${ip || 'unknown'}) is not on the list. Confirm below to save it anyway.`,
} as const;

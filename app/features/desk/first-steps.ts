export interface FirstStep {
  label: string;
  href: string;
  isDone: boolean;
  /** How, where it is not done here. */
  hint?: string;
}

/** What is left to set up after the first start; each is ticked by what is, not by what was clicked. */
export function firstSteps(facts: {
  hasLogo: boolean;
  hasMailServer: boolean;
  hasImported: boolean;
  hasBackup: boolean;
  hasPostalAddress: boolean;
}): FirstStep[] {
  return [
    { label: 'Give the site a logo', href: '/admin/settings', isDone: facts.hasLogo },
    {
      label: 'Set up a mail server',
      href: '/admin/settings?section=mail',
      isDone: facts.hasMailServer,
      hint: 'SMTP_URL in the environment',
    },
    {
      label: 'Import deals for the first time',
      href: '/admin/imports',
      isDone: facts.hasImported,
    },
    {
      label: 'Make a backup',
      href: '/admin/settings?section=system',
      isDone: facts.hasBackup,
      hint: 'tonight the site makes one by itself; “deals backup” makes one now',
    },
    {
      label: 'Enter your postal address',
      href: '/admin/settings?section=newsletter',
      isDone: facts.hasPostalAddress,
      hint: 'no newsletter leaves without it',
    },
  ];
}

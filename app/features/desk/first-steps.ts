export interface FirstStep {
  label: string;
  href: string;
  isDone: boolean;
  /** Instructions for a step that is done elsewhere. */
  hint?: string;
}

/** Lists the remaining setup steps. A step is done when the database shows it, not when clicked. */
export function firstSteps(facts: {
  hasLogo: boolean;
  hasMailServer: boolean;
  hasImported: boolean;
  hasBackup: boolean;
  hasPostalAddress: boolean;
}): FirstStep[] {
  return [
    { label: 'Give the site a logo', href: '/admin/settings/brand', isDone: facts.hasLogo },
    {
      label: 'Set up an email server',
      href: '/admin/settings/mail-server',
      isDone: facts.hasMailServer,
      hint: 'without one, emails stay in the outbox',
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
      hint: 'the site makes one tonight; “deals backup” makes one now',
    },
    {
      label: 'Enter your postal address',
      href: '/admin/settings?section=newsletter',
      isDone: facts.hasPostalAddress,
      hint: 'required to send newsletters',
    },
  ];
}

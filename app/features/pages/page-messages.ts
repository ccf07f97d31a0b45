/** Messages of the screens for pages. */
export const pageMessages = {
  confirmDelete: 'Are you sure you want to delete this page?',
  confirmRestoreOriginal: 'Restore the original text of this page?',
  created: 'Page created.',
  updated: 'Page updated.',
  deleted: 'Page deleted.',
  originalRestored: 'The original text is shown again.',
  deleteFailed: 'Failed to delete page',
  saveFailed: 'Error saving page',
  notFound: 'Page not found',
  changedMeanwhile: 'Someone else saved this page in the meantime.',
  goneWhileEdited:
    'Page not found: someone deleted it in the meantime. What you typed is still here.',
  slugTaken: 'Another page has this address.',
  shown: 'The page is visible.',
  hidden: 'The page is a draft.',
  updateFailed: 'Failed to update page',
  tooDeep: 'Lists or quotes are nested too deeply',
  needsSections: 'Needs at least one section that begins with a line such as “## Title”',
  needsQuestions: 'Each section needs at least one line such as “### Title”, with text below it',
  looseText: 'Text before the first “## Title” would not be shown. Move it to the introduction',
} as const;

/** Explains why a page cannot have a URL. */
export function reservedMessage(slug: string): string {
  return `/${slug} is an address of the site itself. Choose another.`;
}

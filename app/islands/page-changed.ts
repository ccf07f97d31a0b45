/** The event dispatched on the document after parts of the page were replaced. */
export const pageChanged = 'page-changed';

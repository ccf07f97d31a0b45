export const productMessages = {
  split: 'Taken out of the product. No import links it again.',
  linked: 'The deal is an offer of the product now.',
  moved: 'The deal is an offer of the other product now.',
  merged: 'The products are merged. The old address redirects.',
  shared: 'The number no longer links deals.',
  undone: 'Undone.',
  gone: 'The product or deal has changed in the meantime.',
  notFound: 'No product matches. Enter its address, number or GTIN.',
  several: 'Several products match. Enter the address of one.',
};

/** Messages of an undo that changed nothing. */
export const undoMessages = {
  undone: 'This was already undone.',
  deleted: 'One of the deals is in the trash. Restore it first.',
  changed: 'Later changes prevent this. Undo them first.',
};

/** The stores for pictures: the values of `PICTURE_STORE`. */
export const pictureStores = ['database', 'folder', 's3'] as const;
export type PictureStore = (typeof pictureStores)[number];

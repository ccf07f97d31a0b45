/** Where stored pictures may lie: what `PICTURE_STORE` may be. */
export const pictureStores = ['database', 'folder', 's3'] as const;
export type PictureStore = (typeof pictureStores)[number];

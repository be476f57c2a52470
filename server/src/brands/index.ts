// Brands: the name, logo, colours, links and texts that a front end shows.
export { type Brands, createBrands } from './brands.ts';
export { cleanPicture, toDataAddress } from './picture.ts';
export { applicationSetting, brandSetting } from './settings.ts';
export { brandDefinitions, createBrandSlice } from './slice.ts';
export { createLogoStore } from './store.sql.ts';

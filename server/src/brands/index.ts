// Brands: the name, logo, colours, links and texts that a front end shows.
export { type Brands, createBrands } from './brands.ts';
export { applicationSetting, brandSetting } from './settings.ts';
export { brandsSlice } from './slice.ts';
export { createLogoStore } from './store.sql.ts';
export { cleanSvg } from './svg.ts';

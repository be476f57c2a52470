// Front ends: the applications that people sign in to.
export { createFrontEnds, DEFAULT_FRONT_END, type FrontEnds } from './front-ends.ts';
export { createLinks, type Links } from './links.ts';
export { FrontEndMembers } from './routes.ts';
export { baseAddressSetting, linkSetting } from './settings.ts';
export { frontEndsSlice } from './slice.ts';
export { createFrontEndStore } from './store.sql.ts';

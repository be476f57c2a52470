// Applications: the programs that people sign in to with this service.
export { type Applications, createApplications } from './applications.ts';
export { ApplicationMembers } from './dtos.ts';
export { applicationsSlice } from './slice.ts';
export { createApplicationStore } from './store.sql.ts';

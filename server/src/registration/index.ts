// Registration: the journey from a verified address to a new account.
export { registrationSlice } from './slice.ts';

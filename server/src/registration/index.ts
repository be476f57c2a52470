// Registration: the journey from a verified address to a new account.
export { createRegistration, registrationDefinitions } from './slice.ts';

// Registration: the journey from a verified address to a new account.
export { registrationActions } from './events.ts';
export { createRegistration, registrationDefinitions } from './slice.ts';

// Registration: the journey from a verified address to an account of one's own.
export { createRegistration, registrationDefinitions } from './slice.ts';

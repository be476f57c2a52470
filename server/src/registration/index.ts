// Registration: the journey from a proven address to an account of one's own.
export { createAddresses } from './address.ts';
export { createRegistrationProofs } from './address-proof.ts';
export { registrationErrors } from './errors.ts';
export { registrationActions } from './events.ts';
export { createNewcomers } from './newcomer.ts';
export { createRegistration } from './registration.ts';
export { registrationRoutes } from './routes.ts';
export { userManagementSetting } from './settings.ts';
export { verificationLinkMessage } from './templates.ts';

// Audit actions of owners on their second factors.
import { defineActions } from '../foundation/events.ts';

export const myFactorActions = defineActions('factor', {
  authenticatorEnrolled: 'An account owner enrolled, or tried to enroll, an authenticator app.',
  authenticatorRemoved: 'An account owner removed, or tried to remove, the authenticator app.',
  recoveryCodesReplaced: 'An account owner got new recovery codes, or tried to. All former codes stopped working.',
  trustedDeviceRemoved: 'An account owner removed a trusted device.',
});

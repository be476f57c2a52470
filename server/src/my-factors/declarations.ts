// Audit actions of owners on their second factors.
import { defineActions } from '../foundation/events.ts';

export const myFactorActions = defineActions('factor', {
  authenticatorEnrolled: 'An account owner enrolled, or tried to enroll, an authenticator app.',
  authenticatorRemoved: 'An account owner removed, or tried to remove, the authenticator app.',
  passkeyRegistered:
    'An account owner registered, or tried to register, a passkey. Details hold the id of the passkey.',
  passkeyRenamed: 'An account owner renamed a passkey. Details hold the id of the passkey.',
  passkeyRemoved: 'An account owner removed, or tried to remove, a passkey. Details hold the id of the passkey.',
  recoveryCodesReplaced: 'An account owner got new recovery codes, or tried to. All former codes stopped working.',
  trustedDeviceRemoved: 'An account owner removed a trusted device.',
});

// The shapes that registrations and assertions of passkeys share (WebAuthn Level 3, 5.1).
import { Type } from 'typebox';
import { Base64Url, NamedObject } from '../contract/schemas.ts';

/** How a browser finds a registered passkey. */
export const PasskeyDescriptor = NamedObject('PasskeyDescriptor', {
  id: Type.String(),
  type: Type.String(),
  transports: Type.Optional(Type.Array(Type.String())),
});

/** A credential id has at most 1,023 bytes. */
export const CredentialId = Base64Url({ maxLength: 1364 });

/** What the browser has told the authenticator. */
export const ClientData = Base64Url({ maxLength: 8192 });

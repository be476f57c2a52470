// The shapes of a token that replaces another one, and of the user who is signed in.
import { Type } from 'typebox';
import { NamedObject, Nullable } from '../http/contract.ts';

export const IssuedTokenResult = NamedObject('RefreshTokenResult', {
  accessToken: Type.String(),
  expireInSeconds: Type.Integer(),
  expireOn: Type.String({ format: 'date-time' }),
});

const PermissionGrantDto = NamedObject('PermissionGrantDto', {
  permission: Type.String(),
  permissionedEntity: Type.Array(Type.String()),
});

const CurrentUser = NamedObject('CurrentUserDto', {
  id: Type.Integer(),
  accountFound: Type.Boolean(),
  userName: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  fullName: Type.String(),
  email: Nullable(Type.String()),
  mobileNumber: Nullable(Type.String()),
  isEmailConfirmed: Type.Boolean(),
  isMobileConfirmed: Type.Boolean(),
  personId: Type.String(),
  homeUrl: Type.Null(),
  roles: Type.Array(Type.String()),
  grantedPermissions: Type.Array(PermissionGrantDto),
  requireChangePassword: Type.Boolean(),
});

export const CurrentLoginInfo = NamedObject('CurrentLoginInfo', {
  user: Nullable(CurrentUser),
  tenant: Type.Null(),
  initializationErrors: Type.Null(),
});

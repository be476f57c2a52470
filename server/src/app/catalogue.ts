// The catalogue: all settings, errors and actions of the slices. The API and the reference pages use it.
import { accountChangeDefinitions } from '../account-changes/index.ts';
import { accountFactorDefinitions } from '../account-factors/index.ts';
import { accountImportDefinitions } from '../account-import/index.ts';
import { accountDefinitions } from '../accounts/index.ts';
import { auditDefinitions } from '../audit/index.ts';
import { authenticationDefinitions } from '../authentication/index.ts';
import { brandDefinitions } from '../brands/index.ts';
import { budgetDefinitions } from '../budgets/index.ts';
import { deliveryDefinitions } from '../delivery/index.ts';
import { externalLoginDefinitions } from '../external-logins/index.ts';
import { factorDefinitions } from '../factors/index.ts';
import { type ErrorKind, permissionErrors, requestErrors, serviceErrors } from '../foundation/errors.ts';
import type { Action } from '../foundation/events.ts';
import type { SettingDefinition } from '../foundation/setting.ts';
import { frontEndDefinitions } from '../front-ends/index.ts';
import { introspectionDefinitions } from '../introspection/index.ts';
import { lockoutDefinitions } from '../lockout/index.ts';
import { myAccountDefinitions } from '../my-account/index.ts';
import { myFactorDefinitions } from '../my-factors/index.ts';
import { ownerNoticeDefinitions } from '../owner-notices/index.ts';
import { passwordResetDefinitions } from '../password-reset/index.ts';
import { passwordDefinitions } from '../passwords/index.ts';
import { proofDefinitions } from '../proofs/index.ts';
import { providerDefinitions } from '../providers/index.ts';
import { rateLimitDefinitions } from '../rate-limits/index.ts';
import { registrationDefinitions } from '../registration/index.ts';
import { feedDefinitions } from '../revocation-feed/index.ts';
import { roleDefinitions } from '../roles/index.ts';
import { securityQuestionDefinitions } from '../security-questions/index.ts';
import { serviceKeyDefinitions } from '../service-keys/index.ts';
import { settingDefinitions as settingSliceDefinitions } from '../settings/index.ts';
import { signInDefinitions } from '../sign-in/index.ts';
import type { Definitions } from '../slice.ts';
import { tokenDefinitions } from '../tokens/index.ts';

const definitions: readonly Definitions[] = [
  { errors: [requestErrors, permissionErrors, serviceErrors] },
  settingSliceDefinitions,
  lockoutDefinitions,
  tokenDefinitions,
  feedDefinitions,
  serviceKeyDefinitions,
  introspectionDefinitions,
  authenticationDefinitions,
  signInDefinitions,
  factorDefinitions,
  securityQuestionDefinitions,
  passwordDefinitions,
  rateLimitDefinitions,
  proofDefinitions,
  accountDefinitions,
  budgetDefinitions,
  deliveryDefinitions,
  ownerNoticeDefinitions,
  providerDefinitions,
  externalLoginDefinitions,
  myAccountDefinitions,
  accountFactorDefinitions,
  myFactorDefinitions,
  registrationDefinitions,
  passwordResetDefinitions,
  accountChangeDefinitions,
  accountImportDefinitions,
  roleDefinitions,
  frontEndDefinitions,
  brandDefinitions,
  auditDefinitions,
];

/** All settings, in the order of the settings page. */
export const settingDefinitions: readonly SettingDefinition[] = definitions
  .flatMap(({ settings = [] }) => settings)
  .toSorted((a, b) => a.order - b.order);

/** All errors. */
export const errorKinds: readonly ErrorKind[] = definitions
  .flatMap(({ errors = [] }) => errors)
  .flatMap((table) => Object.values(table));

/** All actions of the audit trail. */
export const actions: readonly Action[] = definitions
  .flatMap(({ actions: tables = [] }) => tables)
  .flatMap((table) => Object.values(table));

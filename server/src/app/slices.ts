// All slices. What the service is, and what its reference says of it, follows from this list.
import { abpCompatibilitySlice } from '../abp-compatibility/index.ts';
import { accountAdministrationSlice } from '../account-administration/index.ts';
import { accountChangesSlice } from '../account-changes/index.ts';
import { accountFactorsSlice } from '../account-factors/index.ts';
import { accountImportSlice } from '../account-import/index.ts';
import { accountsSlice } from '../accounts/index.ts';
import { applicationsSlice } from '../applications/index.ts';
import { auditSlice } from '../audit/index.ts';
import { authenticationSlice } from '../authentication/index.ts';
import { authorizationSlice } from '../authorization/index.ts';
import { brandsSlice } from '../brands/index.ts';
import { budgetsSlice } from '../budgets/index.ts';
import { countersSlice } from '../counters/index.ts';
import { deliverySlice } from '../delivery/index.ts';
import { externalLoginsSlice } from '../external-logins/index.ts';
import { factorsSlice } from '../factors/index.ts';
import { frontEndsSlice } from '../front-ends/index.ts';
import { grantsSlice } from '../grants/index.ts';
import { introspectionSlice } from '../introspection/index.ts';
import { lockoutSlice } from '../lockout/index.ts';
import { messageTestsSlice } from '../message-tests/index.ts';
import { myAccountSlice } from '../my-account/index.ts';
import { myFactorsSlice } from '../my-factors/index.ts';
import { oauthSlice } from '../oauth/index.ts';
import { openIdSlice } from '../openid/index.ts';
import { overviewSlice } from '../overview/index.ts';
import { ownerNoticesSlice } from '../owner-notices/index.ts';
import { passwordResetSlice } from '../password-reset/index.ts';
import { passwordsSlice } from '../passwords/index.ts';
import { personsSlice } from '../persons/index.ts';
import { proofsSlice } from '../proofs/index.ts';
import { providersSlice } from '../providers/index.ts';
import { rateLimitsSlice } from '../rate-limits/index.ts';
import { registrationSlice } from '../registration/index.ts';
import { revocationFeedSlice } from '../revocation-feed/index.ts';
import { rolesSlice } from '../roles/index.ts';
import { securityQuestionsSlice } from '../security-questions/index.ts';
import { serviceKeysSlice } from '../service-keys/index.ts';
import { settingsSlice } from '../settings/index.ts';
import { signInSlice } from '../sign-in/index.ts';
import { signOutsSlice } from '../sign-outs/index.ts';
import { tokensSlice } from '../tokens/index.ts';
import { webhooksSlice } from '../webhooks/index.ts';

/** In the order of the calls in the reference. */
export const slices = [
  signInSlice,
  providersSlice,
  myAccountSlice,
  myFactorsSlice,
  registrationSlice,
  passwordResetSlice,
  accountAdministrationSlice,
  accountChangesSlice,
  accountImportSlice,
  personsSlice,
  settingsSlice,
  rolesSlice,
  frontEndsSlice,
  brandsSlice,
  abpCompatibilitySlice,
  auditSlice,
  webhooksSlice,
  deliverySlice,
  messageTestsSlice,
  ownerNoticesSlice,
  tokensSlice,
  revocationFeedSlice,
  serviceKeysSlice,
  applicationsSlice,
  openIdSlice,
  grantsSlice,
  signOutsSlice,
  oauthSlice,
  introspectionSlice,
  authenticationSlice,
  authorizationSlice,
  factorsSlice,
  externalLoginsSlice,
  accountFactorsSlice,
  lockoutSlice,
  rateLimitsSlice,
  proofsSlice,
  passwordsSlice,
  securityQuestionsSlice,
  accountsSlice,
  budgetsSlice,
  countersSlice,
  overviewSlice,
];

// Migrations: the numbered list of forward steps for both engines. A released step never changes.
import { core } from './0001-core.ts';
import { pinsAndMessages } from './0002-pins-and-messages.ts';
import { passwordReset } from './0003-password-reset.ts';
import { externalLogins } from './0004-external-logins.ts';
import { auditTrail } from './0005-audit-trail.ts';
import { emailAddresses } from './0006-email-addresses.ts';
import { lockoutReservations } from './0007-lockout-reservations.ts';
import { authenticationFlow } from './0008-authentication-flow.ts';
import { roles } from './0009-roles.ts';
import { importedAccounts } from './0010-imported-accounts.ts';
import { authorizationRequests } from './0011-authorization-requests.ts';
import { factors } from './0012-factors.ts';
import { revocations } from './0013-revocations.ts';
import { serviceKeys } from './0014-service-keys.ts';
import { accountLists } from './0015-account-lists.ts';
import { hourlyCounts } from './0016-hourly-counts.ts';
import { logos } from './0017-logos.ts';
import { typedNames } from './0018-typed-names.ts';
import { sessionFactors } from './0019-session-factors.ts';
import { ownerNotices } from './0020-owner-notices.ts';
import { webhooks } from './0021-webhooks.ts';
import { auditChain } from './0022-audit-chain.ts';
import { erasure } from './0023-erasure.ts';
import { fullWebhooks } from './0024-full-webhooks.ts';
import { personIndexes } from './0025-person-indexes.ts';
import { applications } from './0026-applications.ts';
import { accountUpdates } from './0027-account-updates.ts';
import { externalProviders } from './0028-external-providers.ts';
import { externalProviderChanges } from './0029-external-provider-changes.ts';
import { passkeyUserHandles } from './0030-passkey-user-handles.ts';
import { deletedAccounts } from './0031-deleted-accounts.ts';
import { openSessions } from './0032-open-sessions.ts';
import { waitingRows } from './0033-waiting-rows.ts';
import { formerOwners } from './0034-former-owners.ts';
import { formerKeys } from './0035-former-keys.ts';
import { foundByIndex } from './0036-found-by-index.ts';
import { changedByAccount } from './0037-changed-by-account.ts';
import { untrustedSince } from './0038-untrusted-since.ts';
import { namedSignOuts } from './0039-named-sign-outs.ts';
import { approvedSessions } from './0040-approved-sessions.ts';
import type { Migration } from './migration.ts';

/** The last step from before programs of two versions could share a database. */
export const LAST_ALONE = 29;

/** All steps in order. The first has the number 1. */
export const migrations: readonly Migration[] = [
  core,
  pinsAndMessages,
  passwordReset,
  externalLogins,
  auditTrail,
  emailAddresses,
  lockoutReservations,
  authenticationFlow,
  roles,
  importedAccounts,
  authorizationRequests,
  factors,
  revocations,
  serviceKeys,
  accountLists,
  hourlyCounts,
  logos,
  typedNames,
  sessionFactors,
  ownerNotices,
  webhooks,
  auditChain,
  erasure,
  fullWebhooks,
  personIndexes,
  applications,
  accountUpdates,
  externalProviders,
  externalProviderChanges,
  passkeyUserHandles,
  deletedAccounts,
  openSessions,
  waitingRows,
  formerOwners,
  formerKeys,
  foundByIndex,
  changedByAccount,
  untrustedSince,
  namedSignOuts,
  approvedSessions,
];

/** Whether nodes that know `applied` of the steps go on while the others are applied, and after. */
export const mayRollFrom = (applied: number, steps: readonly Migration[] = migrations): boolean =>
  applied >= LAST_ALONE && steps.slice(applied).every(({ needs = 0 }) => needs <= applied);

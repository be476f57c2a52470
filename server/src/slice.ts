// The types of a slice: what a folder adds to the service, and the capabilities that journeys are built from.
import type { AccountFactors } from './account-factors/index.ts';
import type { AccountStore, Names, PhoneNumbers, VerifiedAddresses } from './accounts/index.ts';
import type { AuditTrail } from './audit/index.ts';
import type {
  Attempts,
  Authentication,
  Challenges,
  ComparePassword,
  EnforceEnrollment,
  Factor,
  FindFactorLockoutPolicy,
  FindLockoutPolicy,
  OwnerVerification,
  SecondFactors,
  SignOff,
} from './authentication/index.ts';
import type { Authorization } from './authorization/index.ts';
import type { CountChange } from './budgets/index.ts';
import type { Endpoints, Route } from './contract/route.ts';
import type { Messages } from './delivery/index.ts';
import type { ExternalLoginStore, ExternalLogins } from './external-logins/index.ts';
import type {
  Authenticators,
  EnrolledFactorReader,
  FactorOperations,
  Passkeys,
  RecoveryCodes,
  TrustedDevices,
} from './factors/index.ts';
import type { Clock } from './foundation/clock.ts';
import type { ErrorKind } from './foundation/errors.ts';
import type { Action } from './foundation/events.ts';
import type { OfferedMedia } from './foundation/medium.ts';
import type { Random } from './foundation/random.ts';
import type { Secrets } from './foundation/secrets.ts';
import type { SettingDefinition } from './foundation/setting.ts';
import type { UniformTiming } from './foundation/uniform-timing.ts';
import type { Links } from './front-ends/index.ts';
import type { Lockouts } from './lockout/index.ts';
import type { NotifyOwner } from './owner-notices/index.ts';
import type { Passwords } from './passwords/index.ts';
import type { Pins } from './proofs/index.ts';
import type { AuthorizationRequests, Providers, Review } from './providers/index.ts';
import type { Roles } from './roles/index.ts';
import type { SecurityAnswers } from './security-questions/index.ts';
import type { Settings } from './settings/index.ts';
import type { CanSignIn } from './sign-in-ways/index.ts';
import type { Database } from './storage/database.ts';
import type { Sessions } from './tokens/index.ts';

/** What a slice adds to the running service. */
export type Slice = {
  readonly routes?: readonly Route[];
  readonly endpoints?: Endpoints;
  /** Methods to authenticate with. */
  readonly methods?: readonly Factor[];
  /** Jobs. Each deletes one batch of expired rows, or does other work that is due. Every node runs them every few seconds. */
  readonly jobs?: readonly (() => Promise<unknown>)[];
};

/** What a slice declares before the service runs. The reference pages are generated from it. */
export type Definitions = {
  readonly settings?: readonly SettingDefinition[];
  readonly errors?: readonly Readonly<Record<string, ErrorKind>>[];
  readonly actions?: readonly Readonly<Record<string, Action>>[];
};

/** What journeys are built from: capabilities, the core, and the means that the process hands in. */
export type Capabilities = {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: Secrets;
  readonly settings: Settings;
  readonly links: Links;
  readonly audit: AuditTrail;
  readonly accounts: AccountStore;
  readonly roles: Roles;
  readonly names: Names;
  readonly phoneNumbers: PhoneNumbers;
  readonly verifiedAddresses: VerifiedAddresses;
  readonly passwords: Passwords;
  /** Hashes answers to security questions on a thread of their own, so that they do not delay sign-ins. */
  readonly answerHashing: Passwords;
  readonly answers: SecurityAnswers;
  readonly lockouts: Lockouts;
  readonly findLockoutPolicy: FindLockoutPolicy;
  readonly sessions: Sessions;
  readonly pins: Pins;
  readonly countChange: CountChange;
  /** The means of delivery that are on. What needs another one is not offered. */
  readonly offeredMedia: OfferedMedia;
  readonly messages: Messages;
  readonly notifyOwner: NotifyOwner;
  readonly providers: Providers;
  /** Sign-ins at providers by the code flow. */
  readonly authorizationRequests: AuthorizationRequests;
  /** Decides whether a new external identity may register. */
  readonly review: Review;
  readonly externalLoginStore: ExternalLoginStore;
  readonly externalLogins: ExternalLogins;
  readonly canSignIn: CanSignIn;
  readonly factorOperations: FactorOperations;
  readonly authenticators: Authenticators;
  readonly passkeys: Passkeys;
  readonly recoveryCodes: RecoveryCodes;
  readonly enrolledFactors: EnrolledFactorReader;
  readonly trustedDevices: TrustedDevices;
  readonly attempts: Attempts;
  readonly findFactorLockoutPolicy: FindFactorLockoutPolicy;
  readonly secondFactors: SecondFactors;
  readonly enforceEnrollment: EnforceEnrollment;
  readonly accountFactors: AccountFactors;
  readonly comparePassword: ComparePassword;
  readonly ownerVerification: OwnerVerification;
  readonly challenges: Challenges;
  readonly authentication: Authentication;
  readonly signOff: SignOff;
  readonly authorization: Authorization;
  readonly withUniformTiming: UniformTiming;
};

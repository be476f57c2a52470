// The types of a slice: what a folder adds to the service, and the capabilities that journeys are built from.
import type { AccountFactors } from './account-factors/index.ts';
import type { AccountStore, Names, PhoneNumbers, VerifiedAddresses } from './accounts/index.ts';
import type { Applications } from './applications/index.ts';
import type { AuditErasure, AuditTrail } from './audit/index.ts';
import type { createAuthenticationCore, Factor } from './authentication/index.ts';
import type { Authorization } from './authorization/index.ts';
import type { Budgets, CountChange } from './budgets/index.ts';
import type { Endpoints, Route } from './contract/route.ts';
import type { Messages } from './delivery/index.ts';
import type { ExternalLoginStore, ExternalLogins } from './external-logins/index.ts';
import type { createFactors } from './factors/index.ts';
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
import type { createProofs } from './proofs/index.ts';
import type { AuthorizationRequests, Providers, Review } from './providers/index.ts';
import type { Roles } from './roles/index.ts';
import type { SecurityAnswers } from './security-questions/index.ts';
import type { Settings } from './settings/index.ts';
import type { CanSignIn, ReadSignInWays } from './sign-in-ways/index.ts';
import type { Database } from './storage/database.ts';
import type { ApplicationTokens, IdTokens, Sessions } from './tokens/index.ts';

/** Work in the background, from the start of the process to its end. */
export type Work = { start(): void; stop(): Promise<void> };

/** What a slice adds to the running service. */
export type Part = {
  readonly routes?: readonly Route[];
  readonly endpoints?: Endpoints;
  /** Methods to authenticate with. */
  readonly methods?: readonly Factor[];
  /**
   * Jobs, such as the deletion of expired rows. Every node runs them every few seconds, and each says how much it does in a run.
   */
  readonly jobs?: readonly (() => Promise<unknown>)[];
  /** Work that every process of a node does. */
  readonly background?: Work;
  /** Work that one process of a node does. The others only stop it, which closes what it has opened. */
  readonly duty?: Work;
};

/** What a slice declares before the service runs. The reference pages are generated from it. */
export type Declarations = {
  readonly settings?: readonly SettingDefinition[];
  readonly errors?: readonly Readonly<Record<string, ErrorKind>>[];
  readonly actions?: readonly Readonly<Record<string, Action>>[];
  /** The actions that create the account of a person who was not known before, by the name of the way. */
  readonly registrations?: Readonly<Record<string, Action>>;
};

/** A slice: what it declares, and how its part of the service is created. `app/slices.ts` lists all of them. */
export type Slice<Needs = Capabilities> = {
  readonly declarations?: Declarations;
  readonly create?: (needs: Needs) => Part;
};

/** What the process hands in. */
type Process = {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: Secrets;
  /** The public URL, which is the issuer of tokens. */
  readonly issuer: string;
  /** The version, and its day as an ISO 8601 date. */
  readonly release: { readonly version: string; readonly date: string };
  readonly withUniformTiming: UniformTiming;
};

/** What is configured at run time, and what is recorded. */
type Administration = {
  readonly settings: Settings;
  readonly links: Links;
  readonly roles: Roles;
  readonly applications: Applications;
  readonly audit: AuditTrail;
  readonly auditErasure: AuditErasure;
};

type Accounts = {
  readonly accounts: AccountStore;
  readonly names: Names;
  readonly phoneNumbers: PhoneNumbers;
  readonly verifiedAddresses: VerifiedAddresses;
  readonly passwords: Passwords;
  /** Hashes answers to security questions on a thread of their own, so that they do not delay sign-ins. */
  readonly answerHashing: Passwords;
  readonly answers: SecurityAnswers;
  readonly canSignIn: CanSignIn;
  readonly readSignInWays: ReadSignInWays;
};

/** Messages to people, and the secrets in them. */
type Delivery = ReturnType<typeof createProofs> & {
  /** The media that are on. What needs another one is not offered. */
  readonly offeredMedia: OfferedMedia;
  /** The name of the channel that carries e-mail. */
  readonly mailChannel: string;
  readonly messages: Messages;
  readonly notifyOwner: NotifyOwner;
  readonly budgets: Budgets;
  readonly countChange: CountChange;
};

type External = {
  readonly providers: Providers;
  /** Sign-ins at providers by the code flow. */
  readonly authorizationRequests: AuthorizationRequests;
  /** Decides whether a new external identity may register. */
  readonly review: Review;
  readonly externalLoginStore: ExternalLoginStore;
  readonly externalLogins: ExternalLogins;
};

type SignIns = ReturnType<typeof createFactors> &
  ReturnType<typeof createAuthenticationCore> & {
    readonly lockouts: Lockouts;
    readonly sessions: Sessions;
    readonly idTokens: IdTokens;
    readonly applicationTokens: ApplicationTokens;
    readonly accountFactors: AccountFactors;
    readonly authorization: Authorization;
  };

/** What journeys are built from. */
export type Capabilities = Process & Administration & Accounts & Delivery & External & SignIns;

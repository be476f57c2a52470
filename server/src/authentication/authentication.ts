// The authentication flow: every sign-in runs through it. It asks for a second factor if the account has one enrolled.
import { type Account, type AccountStore, toTokenSubject } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { factorErrors, type TrustedDevices } from '../factors/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { AuthError } from '../foundation/errors.ts';
import type { Action, Origin } from '../foundation/events.ts';
import { factorsSubject, type Lockouts } from '../lockout/index.ts';
import type { VerifiedPassword } from '../passwords/index.ts';
import type { Tx } from '../storage/database.ts';
import type { Sessions } from '../tokens/index.ts';
import { type Attempts, Refusal } from './attempts.ts';
import type { Challenges } from './challenges.ts';
import { authenticationActions, signInErrors } from './declarations.ts';
import type { AuthenticationMethod, Identified, Outcome, RightProof } from './method.ts';
import type { SecondFactors } from './second-factors.ts';
import type { Challenge, SignedInAccount, SignInResult } from './sign-in-result.ts';

/** A right proof of one of the factors of a sign-in. */
type Step = {
  /** As it was read before the transaction. */
  owner: Pick<Account, 'id' | 'userName'>;
  method: AuthenticationMethod;
  outcome: RightProof;
  found: Identified;
  origin: Origin;
};

/** A sign-in that needs no second factor. `mustEnroll`: its session may only enroll one. */
type Unchallenged = { mustEnroll: boolean; details?: Identified['details'] };

export interface Authentication {
  /**
   * Signs in with a first factor.
   * @param trustedDevice the token of a device that the user trusts. It replaces the second factor.
   * @returns `undefined` when the account waits for an administrator.
   * @throws AuthError `method.wrong`, `signIn.lockedOut`, `signIn.notActive`, `service.unavailable`, errors of the method.
   */
  signIn<Given>(
    method: AuthenticationMethod<Given>,
    given: Given,
    origin: Origin,
    trustedDevice?: string,
  ): Promise<SignInResult | undefined>;
  /**
   * Completes a sign-in with a second factor.
   * @param answer `trustsDevice`: whether the user trusts this device from now on.
   * @throws AuthError as `signIn`; `factor.challengeInvalid` for a challenge that is unknown, expired or answered.
   */
  answerChallenge<Given>(
    method: AuthenticationMethod<Given>,
    answer: { token: string; given: Given; trustsDevice?: boolean },
    origin: Origin,
  ): Promise<SignInResult>;
  /** Returns the account of an open challenge. @throws AuthError `factor.challengeInvalid`. */
  findChallenged(token: string): Promise<Account>;
}

export function createAuthentication(deps: {
  accounts: AccountStore;
  attempts: Attempts;
  challenges: Challenges;
  lockouts: Lockouts;
  secondFactors: SecondFactors;
  trustedDevices: TrustedDevices;
  sessions: Sessions;
  audit: AuditTrail;
  clock: Clock;
}): Authentication {
  const { accounts, attempts, challenges, lockouts } = deps;
  const { secondFactors, trustedDevices, sessions, audit, clock } = deps;

  /** Issues a challenge if the account has a second factor. Refuses an account that cannot sign in. */
  async function challenge(tx: Tx, step: Step, trustedDevice?: string): Promise<Challenge | Refusal | Unchallenged> {
    const { owner, method, outcome, found, origin } = step;
    const accountId = owner.id;
    if (outcome.isMultiFactor || !secondFactors.areOffered()) return { mustEnroll: false };
    const account = await accounts.findForUpdate(tx.sql, accountId);
    const credential = await accounts.findCredential(accountId, tx.sql);
    const isChanged = outcome.password && outcome.password.passwordVersion !== credential?.version;
    if (!account || !credential || isChanged) return new Refusal(method.wrong());
    if (!account.isActive) return new Refusal(signInErrors.notActive());
    const enrolled = await secondFactors.find(tx, account, method);
    if (enrolled.length === 0) return { mustEnroll: await secondFactors.mustEnroll(tx, account, origin.frontEnd) };
    if (trustedDevice !== undefined && (await trustedDevices.recognize(tx, accountId, trustedDevice, origin))) {
      return { mustEnroll: false, details: { trustedDevice: true } };
    }
    if (outcome.password) await accounts.upgradeHash(tx.sql, accountId, outcome.password);
    const token = await challenges.issue(tx, {
      accountId,
      frontEnd: origin.frontEnd,
      completed: [method.name],
      passwordVersion: credential.version,
      lockoutSubject: found.subject,
    });
    const user = { id: accountId, name: account.userName };
    const details = { method: method.name, secondFactors: enrolled };
    await audit.record(tx, { action: authenticationActions.challenged, outcome: 'success', user, origin, details });
    return { token, methods: enrolled };
  }

  /**
   * Opens the session and records the sign-in. Refuses with `signIn.notActive` or `method.wrong` when the account cannot sign in.
   * @param factors names of the methods that were right.
   * @param password the verified password, if any. The sign-in fails if the account has another password by now.
   */
  async function openSession(
    tx: Tx,
    { owner, method, outcome, found, origin }: Step,
    factors: readonly string[],
    { mustEnroll, password = {}, ...more }: Unchallenged & { password: Partial<VerifiedPassword> | undefined },
  ): Promise<SignedInAccount | Refusal> {
    const account = await accounts.recordSignIn(tx.sql, owner.id, password, clock.now());
    if (!account) {
      const stored = await accounts.findIn(tx.sql, owner.id);
      return new Refusal(stored && !stored.isActive ? signInErrors.notActive() : method.wrong());
    }
    const { id, userName, personId, mustChangePassword } = account;
    const isMultiFactor = factors.length > 1 || outcome.isMultiFactor;
    const own = factors.map((name) => secondFactors.methods.get(name)?.amr ?? name);
    const amr = [...new Set([...own, ...(outcome.amr ?? []), ...(isMultiFactor ? ['mfa'] : [])])];
    const start = { amr, mustChangePassword, mustEnroll, passkeyId: outcome.passkeyId, origin };
    const token = await sessions.open(tx, toTokenSubject(account), start);
    const user = { id, name: userName };
    const details = more.details ? { ...found.details, ...more.details } : found.details;
    await audit.record(tx, { action: method.action, outcome: 'success', user, origin, ...(details && { details }) });
    const enrollment = mustEnroll && ({ requiredFactorEnrollment: true } as const);
    return { ...token, userId: id, personId, requiredChangePassword: mustChangePassword, ...enrollment };
  }

  /** @returns the token of the device, or `undefined` if the settings allow no trusted devices. */
  async function trustDevice(tx: Tx, { owner, origin }: Step) {
    const token = await trustedDevices.trust(tx, owner.id, origin);
    if (token === undefined) return undefined;
    const user = { id: owner.id, name: owner.userName };
    await audit.record(tx, { action: authenticationActions.deviceTrusted, outcome: 'success', user, origin });
    return token;
  }

  /** Records a refusal. @returns its error. */
  async function refuse(action: Action, error: AuthError, origin: Origin): Promise<AuthError> {
    await audit.recordAlone({ action, outcome: 'refused', reason: error.reason, origin });
    return error;
  }

  return {
    async signIn(method, given, origin, trustedDevice) {
      const found = await method.find(given, origin);
      if (!found) return undefined;
      const attempt = await attempts.begin({ ...found, origin, action: method.action });
      const verified = await attempt.verify(() => method.verify(found));
      return attempt.settle<SignInResult>(async (tx) => {
        const outcome = await method.redeem(tx, verified);
        if (outcome.proof !== 'right' || !found.account) return toWrong(method, outcome);
        const step = { owner: found.account, method, outcome, found, origin };
        const challenged = await challenge(tx, step, trustedDevice);
        if (challenged instanceof Refusal) return { proof: 'right', result: challenged };
        if ('token' in challenged) return { proof: 'partial', result: { challenge: challenged } };
        const signedIn = await openSession(tx, step, [method.name], { ...challenged, password: outcome.password });
        return { proof: 'right', result: signedIn instanceof Refusal ? signedIn : { signedIn } };
      });
    },

    async answerChallenge(method, { token, given, trustsDevice }, origin) {
      const { action } = method;
      const waiting = await challenges.find(token);
      if (!waiting) throw await refuse(action, factorErrors.challengeInvalid(), origin);
      const { flow, account: owner } = waiting;
      const found = await method.find(given, origin, owner);
      const isOwn = found?.account?.id === owner.id;
      if (!found || !isOwn || flow.completed.includes(method.name)) throw await refuse(action, method.wrong(), origin);
      const policy = attempts.findFactorPolicy([flow.frontEnd, origin.frontEnd]);
      const attempt = await attempts.begin({ ...found, subject: factorsSubject(owner.id), policy, origin, action });
      const verified = await attempt.verify(() => method.verify(found));
      return attempt.settle<SignInResult>(async (tx) => {
        const account = await challenges.lock(tx, flow);
        if (account instanceof Refusal) return { proof: 'unchecked', result: account };
        // Read before the proof is redeemed: a right recovery code may use up the last one.
        const isEnrolled = (await secondFactors.find(tx, account)).includes(method.name);
        if (!isEnrolled) return { proof: 'wrong', result: new Refusal(method.wrong()) };
        const outcome = await method.redeem(tx, verified);
        if (outcome.proof !== 'right') return toWrong(method, outcome);
        if (!(await challenges.take(tx, flow))) {
          return { proof: 'unchecked', result: new Refusal(factorErrors.challengeInvalid()) };
        }
        const step = { owner, method, outcome, found, origin: { ...origin, frontEnd: flow.frontEnd } };
        const { passwordVersion } = flow;
        const signedIn = await openSession(tx, step, [...flow.completed, method.name], {
          mustEnroll: false,
          password: { passwordVersion },
        });
        if (signedIn instanceof Refusal) return { proof: 'right', result: signedIn };
        const trustedDevice = trustsDevice ? await trustDevice(tx, step) : undefined;
        await lockouts.clearFailures(tx, flow.lockoutSubject);
        return { proof: 'right', result: { signedIn: { ...signedIn, ...(trustedDevice && { trustedDevice }) } } };
      });
    },

    async findChallenged(token) {
      const waiting = await challenges.find(token);
      if (!waiting) throw factorErrors.challengeInvalid();
      return waiting.account;
    },
  };
}

/** The verdict on a proof that is not right. A right one of no account is wrong. */
const toWrong = ({ wrong }: AuthenticationMethod, { proof }: Outcome) =>
  ({ proof: proof === 'right' ? 'wrong' : proof, result: new Refusal(wrong()) }) as const;

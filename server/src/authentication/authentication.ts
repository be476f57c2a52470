// The authentication flow: every sign-in runs through it. It asks for a second factor if the account has one enrolled.
import type { Account, AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { factorErrors, type TrustedDevices } from '../factors/index.ts';
import { addSeconds, type Clock } from '../foundation/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import type { Action, Origin } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import { factorsSubject, type LockoutPolicy, type Lockouts } from '../lockout/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Attempts, Verdict } from './attempts.ts';
import { lockedOut, signInErrors } from './errors.ts';
import { authenticationActions } from './events.ts';
import type { FindFactorLockoutPolicy } from './lockout-policy.ts';
import type { AuthenticationMethod, Proof, RightProof } from './method.ts';
import type { SecondFactors } from './second-factors.ts';
import type { SessionIssuer } from './session-issuer.ts';
import type { Challenge, SignInResult } from './sign-in-result.ts';
import type { LoginFlow, LoginFlowStore } from './store.ts';

/** Lifetime of a challenge, in seconds. */
const CHALLENGE_SECONDS = 300;
const CHALLENGE_BYTES = 32;
const CLEANUP_BATCH = 500;

/** A right proof, and the sign-in that it belongs to. */
type Step = {
  /** As it was read before the transaction. */
  owner: Pick<Account, 'id' | 'userName'>;
  method: AuthenticationMethod;
  outcome: RightProof;
  proof: Proof;
  origin: Origin;
  /** The sign-in that this second factor completes. Absent at the first factor. */
  flow?: LoginFlow;
  /** At the first factor: the token of a device that the user trusts. */
  trustedDevice?: string | undefined;
  /** At the second factor: whether the user trusts this device from now on. */
  trustsDevice?: boolean | undefined;
};

/** A sign-in that needs no second factor. `mustEnroll`: its session may only enroll one. */
type Unchallenged = { mustEnroll: boolean; details?: Proof['details'] };

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
  /** Deletes one batch of expired challenges. */
  deleteExpired(): Promise<void>;
}

export function createAuthentication(deps: {
  accounts: AccountStore;
  attempts: Attempts;
  lockouts: Lockouts;
  findFactorLockoutPolicy: FindFactorLockoutPolicy;
  database: Database;
  flows: LoginFlowStore;
  sessionIssuer: SessionIssuer;
  secondFactors: SecondFactors;
  trustedDevices: TrustedDevices;
  audit: AuditTrail;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): Authentication {
  const { accounts, attempts, lockouts, findFactorLockoutPolicy, database, flows, sessionIssuer } = deps;
  const { secondFactors, trustedDevices, audit, secrets, clock, random } = deps;
  const macOf = (token: string) => secrets.mac('login-flow', token);

  /**
   * Issues a challenge if the account has a second factor.
   * @returns an error when the account cannot sign in.
   */
  async function challenge(tx: Tx, step: Step): Promise<Challenge | AuthError | Unchallenged> {
    const { owner, method, outcome, proof, origin, trustedDevice } = step;
    const accountId = owner.id;
    if (outcome.isMultiFactor || !secondFactors.areOffered()) return { mustEnroll: false };
    const account = await accounts.findForUpdate(tx.sql, accountId);
    const credential = await accounts.findCredential(accountId, tx.sql);
    const isChanged = outcome.password && outcome.password.passwordVersion !== credential?.version;
    if (!account || !credential || isChanged) return method.wrong();
    if (!account.isActive) return signInErrors.notActive();
    const enrolled = await secondFactors.find(tx, account, method);
    if (enrolled.length === 0) return { mustEnroll: await secondFactors.mustEnroll(tx, account, origin.frontEnd) };
    if (trustedDevice !== undefined && (await trustedDevices.recognize(tx, accountId, trustedDevice, origin))) {
      return { mustEnroll: false, details: { trustedDevice: true } };
    }
    if (outcome.password) await accounts.upgradeHash(tx.sql, accountId, outcome.password);
    const token = random.bytes(CHALLENGE_BYTES).toString('base64url');
    await flows.add(tx.sql, {
      mac: macOf(token),
      accountId,
      frontEnd: origin.frontEnd,
      completed: [method.name],
      passwordVersion: credential.version,
      lockoutSubject: proof.subject,
      expiresAt: addSeconds(clock.now(), CHALLENGE_SECONDS),
    });
    const user = { id: accountId, name: account.userName };
    const details = { method: method.name, secondFactors: enrolled };
    await audit.record(tx, { action: authenticationActions.challenged, outcome: 'success', user, origin, details });
    return { token, methods: enrolled };
  }

  /** Locks the account first: of parallel answers, the second finds the sign-in complete. @returns why it cannot go on. */
  async function lockOpen(tx: Tx, { mac, accountId, lockoutSubject }: LoginFlow): Promise<Account | AuthError> {
    const account = await accounts.findForUpdate(tx.sql, accountId);
    if (!account || !(await flows.find(tx.sql, mac, clock.now()))) return factorErrors.challengeInvalid();
    const until = await lockouts.findLock(tx, lockoutSubject);
    return until === null ? account : lockedOut(until, clock.now());
  }

  /** @returns the token of the device, or `undefined` if the settings allow no trusted devices. */
  async function trustDevice(tx: Tx, { owner }: Step, origin: Origin): Promise<string | undefined> {
    const token = await trustedDevices.trust(tx, owner.id, origin);
    if (token === undefined) return undefined;
    const user = { id: owner.id, name: owner.userName };
    await audit.record(tx, { action: authenticationActions.deviceTrusted, outcome: 'success', user, origin });
    return token;
  }

  /** Continues after a right proof: challenges the caller, or completes the sign-in. */
  async function advance(tx: Tx, step: Step): Promise<Verdict<SignInResult | AuthError>> {
    const { owner, method, outcome, proof, flow } = step;
    const challenged: Challenge | AuthError | Unchallenged = flow ? { mustEnroll: false } : await challenge(tx, step);
    if (challenged instanceof AuthError) return { proof: 'right', result: challenged };
    if ('token' in challenged) return { proof: 'partial', result: { challenge: challenged } };
    const completed = [...(flow?.completed ?? []), method.name].map(
      (name) => secondFactors.methods.get(name)?.amr ?? name,
    );
    const isMultiFactor = flow !== undefined || outcome.isMultiFactor;
    const origin = flow ? { ...step.origin, frontEnd: flow.frontEnd } : step.origin;
    const signedIn = await sessionIssuer.issue(tx, {
      accountId: owner.id,
      password: flow ? { passwordVersion: flow.passwordVersion } : outcome.password,
      amr: [...new Set([...completed, ...(outcome.amr ?? []), ...(isMultiFactor ? ['mfa'] : [])])],
      mustEnroll: challenged.mustEnroll,
      passkeyId: outcome.passkeyId,
      origin,
      action: method.action,
      details: challenged.details ? { ...proof.details, ...challenged.details } : proof.details,
      wrong: method.wrong,
    });
    if (signedIn instanceof AuthError) return { proof: 'right', result: signedIn };
    const trustedDevice = step.trustsDevice ? await trustDevice(tx, step, origin) : undefined;
    return { proof: 'right', result: { signedIn: { ...signedIn, ...(trustedDevice && { trustedDevice }) } } };
  }

  /**
   * Verifies a proof as an attempt. Runs `whenRight` in the transaction that settles the attempt.
   * @param flow the sign-in that the proof completes. If it has ended, nothing is compared, and no code is used up.
   */
  async function attempt(
    method: AuthenticationMethod,
    proof: Proof,
    { subject, policy, flow }: { subject: string; policy?: LockoutPolicy; flow?: LoginFlow },
    origin: Origin,
    whenRight: (tx: Tx, owner: Step['owner'], outcome: Step['outcome']) => Promise<Verdict<SignInResult | AuthError>>,
  ): Promise<SignInResult> {
    const { account, details } = proof;
    const { action, wrong } = method;
    return attempts.make<Awaited<ReturnType<Proof['check']>>, SignInResult>(
      { account, subject, origin, action, ...(policy && { policy }), ...(details && { details }) },
      () => proof.check(),
      async (tx, verify) => {
        const open = flow && (await lockOpen(tx, flow));
        if (open instanceof AuthError) return { proof: 'unchecked', result: open };
        // Read before the proof is verified: a right recovery code may use up the last one.
        const isEnrolled = !open || (await secondFactors.find(tx, open)).includes(method.name);
        if (!isEnrolled) return { proof: 'wrong', result: wrong() };
        const outcome = await verify(tx);
        if (outcome.proof !== 'right') return { proof: outcome.proof, result: wrong() };
        if (!account) return { proof: 'wrong', result: wrong() };
        return whenRight(tx, account, outcome);
      },
    );
  }

  async function findOpen(mac: string): Promise<{ flow: LoginFlow; account: Account } | undefined> {
    const flow = await flows.find(database.sql, mac, clock.now());
    const account = flow && (await accounts.find(flow.accountId));
    return account && { flow, account };
  }

  /** Records a refusal. @returns its error. */
  async function refuse(action: Action, error: AuthError, origin: Origin): Promise<AuthError> {
    await audit.recordAlone({ action, outcome: 'refused', reason: error.reason, origin });
    return error;
  }

  return {
    async signIn(method, given, origin, trustedDevice) {
      const proof = await method.prepare(given, origin);
      if (!proof) return undefined;
      return attempt(method, proof, { subject: proof.subject }, origin, (tx, owner, outcome) =>
        advance(tx, { owner, method, outcome, proof, origin, trustedDevice }),
      );
    },

    async answerChallenge(method, { token, given, trustsDevice }, origin) {
      const { action } = method;
      const mac = macOf(token);
      const open = await findOpen(mac);
      if (!open) throw await refuse(action, factorErrors.challengeInvalid(), origin);
      const { flow, account } = open;
      const proof = await method.prepare(given, origin, account);
      const isOwn = proof?.account?.id === account.id;
      if (!proof || !isOwn || flow.completed.includes(method.name)) throw await refuse(action, method.wrong(), origin);
      const policy = findFactorLockoutPolicy([flow.frontEnd, origin.frontEnd]);
      return attempt(
        method,
        proof,
        { subject: factorsSubject(account.id), policy, flow },
        origin,
        async (tx, owner, outcome) => {
          const isTaken = await flows.take(tx.sql, mac, clock.now());
          if (!isTaken) return { proof: 'unchecked', result: factorErrors.challengeInvalid() };
          const verdict = await advance(tx, { owner, method, outcome, proof, origin, flow, trustsDevice });
          const isComplete = verdict.proof === 'right' && !(verdict.result instanceof AuthError);
          if (isComplete) await lockouts.clearFailures(tx, flow.lockoutSubject);
          return verdict;
        },
      );
    },

    async findChallenged(token) {
      const open = await findOpen(macOf(token));
      if (!open) throw factorErrors.challengeInvalid();
      return open.account;
    },

    deleteExpired: () => flows.deleteExpired(clock.now(), CLEANUP_BATCH),
  };
}

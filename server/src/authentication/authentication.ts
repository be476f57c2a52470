// The authentication flow: every sign-in runs through it. It asks for a second factor if the account has one enrolled.
import type { Account, AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { addSeconds, type Clock } from '../foundation/clock.ts';
import { AuthError } from '../foundation/errors.ts';
import type { Origin } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import { factorsSubject, type LockoutPolicy, type Lockouts } from '../lockout/index.ts';
import type { Tx } from '../storage/database.ts';
import type { Revocations } from '../tokens/index.ts';
import type { Attempts, Verdict } from './attempts.ts';
import { signInErrors } from './errors.ts';
import { authenticationActions } from './events.ts';
import type { FindFactorLockoutPolicy } from './lockout-policy.ts';
import type { AuthenticationMethod, Outcome, Proof } from './method.ts';
import type { SessionIssuer, SignedInAccount } from './session-issuer.ts';
import type { LoginFlow, LoginFlowStore } from './store.ts';

/** Lifetime of a challenge, in seconds. */
const CHALLENGE_SECONDS = 300;
const CHALLENGE_BYTES = 32;
const CLEANUP_BATCH = 500;

/** What a sign-in answers when it needs a second factor. */
export type Challenge = {
  /** 256 random bits. Stored as a keyed hash. Completes one sign-in. */
  token: string;
  /** Names of the second factors. One of them is enough. */
  methods: readonly string[];
};

/** The result of a right proof. */
export type SignInResult = { signedIn: SignedInAccount } | { challenge: Challenge };

/** A right proof, and the sign-in that it belongs to. */
type Step = {
  accountId: number;
  method: AuthenticationMethod;
  outcome: Outcome & { proof: 'right' };
  proof: Proof;
  origin: Origin;
  /** The sign-in that this second factor completes. Absent at the first factor. */
  flow?: LoginFlow;
};

export interface Authentication {
  /** Adds a method. A method with `isEnrolled` is a second factor of the accounts that have it enrolled. */
  register(method: AuthenticationMethod): void;
  /**
   * Signs in with a first factor.
   * @returns `undefined` when the account waits for an administrator.
   * @throws AuthError `method.wrong`, `signIn.lockedOut`, `signIn.notActive`, `service.unavailable`, errors of the method.
   */
  signIn<Given>(method: AuthenticationMethod<Given>, given: Given, origin: Origin): Promise<SignInResult | undefined>;
  /**
   * Completes a sign-in with a second factor.
   * @throws AuthError as `signIn`; `method.wrong` also for a challenge that is unknown, expired or answered.
   */
  answerChallenge<Given>(
    method: AuthenticationMethod<Given>,
    answer: { token: string; given: Given },
    origin: Origin,
  ): Promise<SignInResult>;
  /** Deletes one batch of expired challenges. */
  deleteExpired(): Promise<void>;
}

export function createAuthentication(deps: {
  accounts: AccountStore;
  attempts: Attempts;
  lockouts: Lockouts;
  findFactorLockoutPolicy: FindFactorLockoutPolicy;
  flows: LoginFlowStore;
  revocations: Revocations;
  sessionIssuer: SessionIssuer;
  audit: AuditTrail;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}): Authentication {
  const { accounts, attempts, lockouts, findFactorLockoutPolicy, flows, revocations, sessionIssuer } = deps;
  const { audit, secrets, clock, random } = deps;
  const methods = new Map<string, AuthenticationMethod>();
  // A change that ends the sessions of an account also ends its sign-ins that wait for a second factor.
  revocations.subscribe(async (tx, revoked) => {
    for (const one of revoked) {
      if (one.kind === 'account') await flows.deleteOfAccount(tx.sql, one.accountId);
      if (one.kind === 'all') await flows.deleteAll(tx.sql);
    }
  });
  const macOf = (token: string) => secrets.mac('login-flow', token);

  /** The account's second factors, in the order of their registration. */
  async function findSecondFactors(tx: Tx, account: Account, first: AuthenticationMethod): Promise<string[]> {
    const enrolled: string[] = [];
    for (const method of methods.values()) {
      if (method.name !== first.name && (await method.isEnrolled?.(tx, account))) enrolled.push(method.name);
    }
    return enrolled;
  }

  /** Issues a challenge if the account has a second factor. @returns an error when the account cannot sign in. */
  async function challenge(tx: Tx, step: Step): Promise<Challenge | AuthError | undefined> {
    const { accountId, method, outcome, proof, origin } = step;
    const knowsSecondFactors = [...methods.values()].some(({ isEnrolled }) => isEnrolled);
    if (!knowsSecondFactors) return undefined;
    const account = await accounts.findForUpdate(tx.sql, accountId);
    const credential = await accounts.findCredential(accountId, tx.sql);
    const isChanged = outcome.password && outcome.password.passwordVersion !== credential?.version;
    if (!account || !credential || isChanged) return method.wrong();
    if (!account.isActive) return signInErrors.notActive();
    const secondFactors = await findSecondFactors(tx, account, method);
    if (secondFactors.length === 0) return undefined;
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
    const details = { method: method.name, secondFactors };
    await audit.record(tx, { action: authenticationActions.challenged, outcome: 'success', user, origin, details });
    return { token, methods: secondFactors };
  }

  /** Locks the account, as every transaction does before it locks what belongs to the account. */
  async function isEnrolled(tx: Tx, accountId: number, method: AuthenticationMethod): Promise<boolean> {
    const account = await accounts.findForUpdate(tx.sql, accountId);
    return account !== undefined && ((await method.isEnrolled?.(tx, account)) ?? false);
  }

  /** Continues after a right proof: challenges the caller, or completes the sign-in. */
  async function advance(tx: Tx, step: Step): Promise<Verdict<SignInResult | AuthError>> {
    const { accountId, method, outcome, proof, flow } = step;
    const challenged = flow ? undefined : await challenge(tx, step);
    if (challenged instanceof AuthError) return { proof: 'right', result: challenged };
    if (challenged) return { proof: 'partial', result: { challenge: challenged } };
    const completed = [...(flow?.completed ?? []), method.name];
    const signedIn = await sessionIssuer.issue(tx, {
      accountId,
      password: flow ? { passwordVersion: flow.passwordVersion } : outcome.password,
      amr: completed.map((name) => methods.get(name)?.amr ?? name),
      origin: flow ? { ...step.origin, frontEnd: flow.frontEnd } : step.origin,
      action: method.action,
      details: proof.details,
      wrong: method.wrong,
    });
    return { proof: 'right', result: signedIn instanceof AuthError ? signedIn : { signedIn } };
  }

  /** Verifies a proof as an attempt. Runs `whenRight` in the transaction that settles the attempt. */
  async function attempt(
    method: AuthenticationMethod,
    proof: Proof,
    { subject, policy }: { subject: string; policy?: LockoutPolicy },
    origin: Origin,
    whenRight: (tx: Tx, accountId: number, outcome: Step['outcome']) => Promise<Verdict<SignInResult | AuthError>>,
  ): Promise<SignInResult> {
    const { account, details } = proof;
    const { action, wrong } = method;
    return attempts.make<Awaited<ReturnType<Proof['check']>>, SignInResult>(
      { account, subject, origin, action, ...(policy && { policy }), ...(details && { details }) },
      () => proof.check(),
      async (tx, verify) => {
        const outcome = await verify(tx);
        if (outcome.proof !== 'right') return { proof: outcome.proof, result: wrong() };
        if (!account) return { proof: 'wrong', result: wrong() };
        return whenRight(tx, account.id, outcome);
      },
    );
  }

  return {
    register(method) {
      methods.set(method.name, method);
    },

    async signIn(method, given, origin) {
      const proof = await method.prepare(given, origin);
      if (!proof) return undefined;
      return attempt(method, proof, { subject: proof.subject }, origin, (tx, accountId, outcome) =>
        advance(tx, { accountId, method, outcome, proof, origin }),
      );
    },

    async answerChallenge(method, { token, given }, origin) {
      const mac = macOf(token);
      const flow = await flows.find(mac, clock.now());
      const account = flow && (await accounts.find(flow.accountId));
      const proof = account && (await method.prepare(given, origin, account));
      const isOwn = proof?.account?.id === account?.id;
      if (!flow || !proof || !isOwn || flow.completed.includes(method.name)) {
        const { action, wrong } = method;
        await audit.recordAlone({ action, outcome: 'refused', reason: wrong.reason, origin });
        throw wrong();
      }
      const policy = findFactorLockoutPolicy([flow.frontEnd, origin.frontEnd]);
      return attempt(
        method,
        proof,
        { subject: factorsSubject(account.id), policy },
        origin,
        async (tx, accountId, outcome) => {
          const isOpen = (await isEnrolled(tx, accountId, method)) && (await flows.take(tx.sql, mac, clock.now()));
          if (!isOpen) return { proof: 'unchecked', result: method.wrong() };
          const verdict = await advance(tx, { accountId, method, outcome, proof, origin, flow });
          const isComplete = verdict.proof === 'right' && !(verdict.result instanceof AuthError);
          if (isComplete) await lockouts.clearFailures(tx, flow.lockoutSubject);
          return verdict;
        },
      );
    },

    deleteExpired: () => flows.deleteExpired(clock.now(), CLEANUP_BATCH),
  };
}

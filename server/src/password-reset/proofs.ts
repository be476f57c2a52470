// Reset proofs: exchanges a link, its code or a one-time pin for a reset token.
import { type Account, type AccountStore, type Credential, nameKey, type PhoneNumbers } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { readName } from '../foundation/typed-text.ts';
import type { PinFilter, Pins } from '../proofs/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { resetErrors } from './errors.ts';
import { resetActions } from './events.ts';
import { type PinMethod, ResetMethod, requireAllowed } from './method.ts';
import type { RecipientResolver, ResolvedRecipient } from './recipient-resolver.ts';
import { type HeldReset, type ResetTokens, toLinkHolder } from './reset-tokens.ts';

/** Length of a link's secret. Anything shorter is a typed code. */
const LINK_LENGTH = 43;

/** The reset token for a right proof, or `undefined` for any other. */
export type ProvenReset = { token: string; username: string } | undefined;

/** Each call throws `reset.methodNotAllowed` when its method is switched off. */
export interface ResetProofs {
  /** Verifies the secret of a link or the code beside it (e-mail), or the one-time pin (SMS). */
  giveCode(given: { name: string; code: string; method: PinMethod }, origin: Origin): Promise<ProvenReset>;
  /** Verifies the one-time pin that this operation sent to this number. */
  givePin(given: { number: string; operationId: string; pin: string }, origin: Origin): Promise<ProvenReset>;
}

const PURPOSES = ['reset-password'] as const;

export function createResetProofs(deps: {
  database: Database;
  accounts: AccountStore;
  recipientResolver: RecipientResolver;
  phoneNumbers: PhoneNumbers;
  pins: Pins;
  tokens: ResetTokens;
  settings: SettingReader;
  audit: AuditTrail;
}): ResetProofs {
  const { database, accounts, recipientResolver, phoneNumbers, pins, tokens, settings, audit } = deps;

  async function record(tx: Tx, account: Account | undefined, isRight: boolean, method: ResetMethod, origin: Origin) {
    await audit.record(tx, {
      action: resetActions.proven,
      ...(isRight ? { outcome: 'success' } : { outcome: 'refused', reason: resetErrors.invalidToken.reason }),
      ...(account && { user: { id: account.id, name: account.userName } }),
      origin,
      details: { method },
    });
  }

  async function issue(
    tx: Tx,
    account: Account & { credential: Credential },
    passwordVersion: number,
    method: ResetMethod,
  ) {
    const token = await tokens.issue(tx, { accountId: account.id, passwordVersion }, method);
    return { token, username: account.userName };
  }

  /**
   * Tries a pin. It is right only while the account has the password and the address that the pin was issued for. A try on
   * an invalid pin is not recorded: attackers must not fill the audit trail.
   */
  async function tryPin(
    tx: Tx,
    { account, recipient }: ResolvedRecipient,
    filter: PinFilter,
    typed: string,
    method: ResetMethod,
    origin: Origin,
  ) {
    const tried = await pins.tryPin(tx, filter, typed);
    if (tried.outcome === 'dead') return undefined;
    const isRight =
      tried.outcome === 'right' && tried.pin.subject === recipient?.subject && tried.pin.address === recipient.address;
    await record(tx, account, isRight, method, origin);
    return isRight && account ? issue(tx, account, account.credential.version, method) : undefined;
  }

  async function takeLink(tx: Tx, resolved: ResolvedRecipient, secret: string, origin: Origin) {
    const { account } = resolved;
    const held = await tokens.takeLink(tx, secret, toLinkHolder(resolved));
    return held && account ? issueFor(tx, account, held, origin) : undefined;
  }

  /** Likewise for the link of an invitation, which verifies the address that it went to. */
  async function takeInvitation(tx: Tx, resolved: ResolvedRecipient, secret: string, origin: Origin) {
    const { account } = resolved;
    const holder = toLinkHolder(resolved);
    // Lock the account first and take the link last, like every transaction that does both.
    await accounts.findForUpdate(tx.sql, account?.id ?? 0);
    const held = await tokens.takeLink(tx, secret, holder && { ...holder, isInvitation: true });
    if (!held || !account || !holder) return undefined;
    if ((await accounts.findCredential(account.id, tx.sql))?.version !== held.passwordVersion) return undefined;
    if (!(await accounts.confirmEmail(tx.sql, account.id, holder.address))) return undefined;
    return issueFor(tx, account, held, origin);
  }

  async function issueFor(tx: Tx, account: Account & { credential: Credential }, held: HeldReset, origin: Origin) {
    await record(tx, account, true, ResetMethod.emailLink, origin);
    return issue(tx, account, held.passwordVersion, ResetMethod.emailLink);
  }

  /** Existing pages send the name in base64. An account with the plain name takes precedence. */
  async function findRecipient(
    name: string,
    find: (name: string) => Promise<ResolvedRecipient>,
  ): Promise<ResolvedRecipient> {
    const decodedName = decodeName(name);
    const [plain, decoded] = await Promise.all([find(name), decodedName === undefined ? undefined : find(decodedName)]);
    return plain.account ? plain : (decoded ?? plain);
  }

  return {
    async giveCode({ name, code: typed, method }, origin) {
      const code = readName(typed);
      requireAllowed(settings, method);
      const resolved = await findRecipient(name, (one) => recipientResolver.byName(one, method));
      if (method === ResetMethod.emailLink && code.length >= LINK_LENGTH) {
        const invited = await findRecipient(name, recipientResolver.byInvitedName);
        return database.transaction(
          async (tx) =>
            (await takeLink(tx, resolved, code, origin)) ?? (await takeInvitation(tx, invited, code, origin)),
        );
      }
      const filter = { subject: resolved.recipient?.subject ?? resolved.decoySubject, purposes: PURPOSES };
      return database.transaction((tx) => tryPin(tx, resolved, filter, code, method, origin));
    },

    async givePin({ number: typed, operationId, pin: given }, origin) {
      requireAllowed(settings, ResetMethod.sms);
      const resolved = await recipientResolver.byNumber(phoneNumbers.parse(typed) ?? '');
      const filter = { operationId, purposes: PURPOSES };
      const subjects = [resolved.decoySubject, resolved.recipient?.subject];
      const pin = await pins.find(filter);
      // Do not touch an operation of another number, whether its pin was sent or not.
      if (!pin || !subjects.includes(pin.subject)) return undefined;
      return database.transaction((tx) => tryPin(tx, resolved, filter, given, ResetMethod.sms, origin));
    },
  };
}

/** Returns the text that the name holds in base64, if it does. */
function decodeName(name: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]{2,}={0,2}$/.test(name)) return undefined;
  const decoded = readName(Buffer.from(name, 'base64').toString('utf8'));
  return /^[^\p{C}\ufffd]+$/u.test(decoded) && nameKey(decoded) !== nameKey(name) ? decoded : undefined;
}

// Reset proofs: exchanges a link, its code, an invitation or a one-time pin for a reset token.
import { type AccountStore, nameKey, type PhoneNumbers } from '../accounts/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { readName } from '../foundation/typed-text.ts';
import { LINK_SECRET_LENGTH, type OneTimeSecrets, type PinFilter, type Pins } from '../proofs/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { type PinMethod, ResetMethod, requireAllowed } from './method.ts';
import type { ProvenReset, SettleProof } from './proof-settlement.ts';
import { type RecipientResolver, type ResolvedRecipient, toLinkHolder } from './recipient-resolver.ts';

/** Each call throws `reset.methodNotAllowed` when its method is switched off. */
export interface ResetProofs {
  /** Verifies the secret of a link or the code beside it. The secret of an invitation verifies the address that it went to. */
  giveMailed(given: { name: string; code: string }, origin: Origin): Promise<ProvenReset>;
  /** Verifies the one-time pin that was sent by SMS. */
  givePin(given: { name: string; pin: string }, origin: Origin): Promise<ProvenReset>;
  /** Verifies the one-time pin that this operation sent to this number. */
  givePinOfNumber(given: { number: string; operationId: string; pin: string }, origin: Origin): Promise<ProvenReset>;
}

const PURPOSES = ['reset-password'] as const;

export function createResetProofs(deps: {
  database: Database;
  accounts: AccountStore;
  recipientResolver: RecipientResolver;
  phoneNumbers: PhoneNumbers;
  pins: Pins;
  oneTimeSecrets: OneTimeSecrets;
  settleProof: SettleProof;
  settings: SettingReader;
  clock: Clock;
}): ResetProofs {
  const { database, accounts, recipientResolver, phoneNumbers, pins, oneTimeSecrets } = deps;
  const { settleProof, settings, clock } = deps;

  /** Locks the account: first, and its links and pins last, like every transaction that takes both. */
  const lock = (tx: Tx, account: ResolvedRecipient['account']) => accounts.findForUpdate(tx.sql, account?.id ?? 0);

  /** Whether a locked account has the password and the addresses that it had when the call began. */
  const isUnchanged = async (tx: Tx, account: ResolvedRecipient['account']) =>
    account !== undefined &&
    (await accounts.findCredential(account.id, tx.sql))?.version === account.credential.version;

  /**
   * Tries a pin. It is right only while the account has the password and the address that the pin was issued for. A try on
   * an invalid pin is not recorded: attackers must not fill the audit trail.
   */
  async function tryPin(
    { account, recipient }: ResolvedRecipient,
    filter: PinFilter,
    typed: string,
    method: PinMethod,
    origin: Origin,
  ): Promise<ProvenReset> {
    // Whoever asks without a pin must not lock the account, nor learn by the wait that it exists.
    if (!(await pins.canTry(filter, typed))) return undefined;
    return database.transaction(async (tx) => {
      await lock(tx, account);
      const tried = await pins.tryPin(tx, filter, typed);
      if (tried.outcome === 'dead') return undefined;
      const isRecipients =
        tried.outcome === 'right' && tried.pin.subject === recipient?.subject && tried.pin.address === recipient.to;
      const isRight = isRecipients && (await isUnchanged(tx, account));
      return settleProof(tx, { account, isRight, method }, origin);
    });
  }

  /** Tries the latest pin that the method sent for this name. */
  async function tryLatestPin(name: string, typed: string, method: PinMethod, origin: Origin): Promise<ProvenReset> {
    const resolved = await findRecipient(name, (one) => recipientResolver.byName(one, method));
    const filter = { subject: resolved.recipient?.subject ?? resolved.decoySubject, purposes: PURPOSES };
    return tryPin(resolved, filter, typed, method, origin);
  }

  async function takeLink(name: string, secret: string, origin: Origin): Promise<ProvenReset> {
    const resolved = await findRecipient(name, (one) => recipientResolver.byName(one, ResetMethod.emailLink));
    const holder = toLinkHolder(resolved, 'reset');
    if (!(await oneTimeSecrets.isLink(secret, holder))) return undefined;
    return database.transaction(async (tx) => {
      await lock(tx, resolved.account);
      if (!(await oneTimeSecrets.takeLink(tx, secret, holder))) return undefined;
      if (!(await isUnchanged(tx, resolved.account))) return undefined;
      return settleProof(tx, { ...resolved, isRight: true, method: ResetMethod.emailLink }, origin);
    });
  }

  /** Takes the link of an invitation, and verifies the address that it went to. */
  async function takeInvitation(name: string, secret: string, origin: Origin): Promise<ProvenReset> {
    const resolved = await findRecipient(name, recipientResolver.byInvitedName);
    const holder = toLinkHolder(resolved, 'invitation');
    if (!(await oneTimeSecrets.isLink(secret, holder))) return undefined;
    return database.transaction(async (tx) => {
      await lock(tx, resolved.account);
      if (!(await oneTimeSecrets.takeLink(tx, secret, holder)) || !holder) return undefined;
      if (!(await isUnchanged(tx, resolved.account))) return undefined;
      if (!(await accounts.confirmEmail(tx.sql, holder.accountId, holder.address, clock.now()))) return undefined;
      return settleProof(tx, { ...resolved, isRight: true, method: ResetMethod.emailLink }, origin);
    });
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
    async giveMailed({ name, code: typed }, origin) {
      const code = readName(typed);
      requireAllowed(settings, ResetMethod.emailLink);
      if (code.length < LINK_SECRET_LENGTH) return tryLatestPin(name, code, ResetMethod.emailLink, origin);
      return (await takeLink(name, code, origin)) ?? takeInvitation(name, code, origin);
    },

    async givePin({ name, pin }, origin) {
      requireAllowed(settings, ResetMethod.sms);
      return tryLatestPin(name, readName(pin), ResetMethod.sms, origin);
    },

    async givePinOfNumber({ number: typed, operationId, pin: given }, origin) {
      requireAllowed(settings, ResetMethod.sms);
      const resolved = await recipientResolver.byNumber(phoneNumbers.parse(typed) ?? '');
      const filter = { operationId, purposes: PURPOSES };
      const subjects = [resolved.decoySubject, resolved.recipient?.subject];
      const pin = await pins.find(filter);
      // Do not touch an operation of another number, whether its pin was sent or not.
      if (!pin || !subjects.includes(pin.subject)) return undefined;
      return tryPin(resolved, filter, given, ResetMethod.sms, origin);
    },
  };
}

/** Returns the text that the name holds in base64, if it does. */
function decodeName(name: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]{2,}={0,2}$/.test(name)) return undefined;
  const decoded = readName(Buffer.from(name, 'base64').toString('utf8'));
  return /^[^\p{C}\ufffd]+$/u.test(decoded) && nameKey(decoded) !== nameKey(name) ? decoded : undefined;
}

// Giving back the link, code or one-time password: whoever is right gets the token that sets a new password.
import { type Account, type Credential, nameKey, type PhoneNumbers } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Origin } from '../foundation/events.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { PinFilter, Pins } from '../pins/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { resetErrors } from './errors.ts';
import { resetActions } from './events.ts';
import { ResetMethod, requireAllowed } from './method.ts';
import type { RecipientResolver, ResolvedRecipient } from './recipient-resolver.ts';
import { type ResetTokens, toLinkHolder } from './reset-tokens.ts';

/** Shortest secret of a link; what is shorter is a code that was typed. */
const LINK_LENGTH = 43;

/** What a proof that was right leads to; nothing for every other one. */
export type ProvenReset = { token: string; username: string } | undefined;

/** Each call ends in `reset.methodNotAllowed` when its method is switched off. */
export interface ResetProofs {
  /** Takes the secret of a link, or the code beside it (2), or the one-time password that went to a number (4). */
  giveCode(given: { name: string; code: string; method: 2 | 4 }, origin: Origin): Promise<ProvenReset>;
  /** Takes the one-time password that went to this very number under this operation. */
  givePin(given: { number: string; operationId: string; pin: string }, origin: Origin): Promise<ProvenReset>;
}

const PURPOSES = ['reset-password'] as const;

export function createResetProofs(deps: {
  database: Database;
  recipientResolver: RecipientResolver;
  phoneNumbers: PhoneNumbers;
  pins: Pins;
  tokens: ResetTokens;
  settings: SettingReader;
  audit: AuditTrail;
}): ResetProofs {
  const { database, recipientResolver, phoneNumbers, pins, tokens, settings, audit } = deps;

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
   * Tries a pin, which is right only while the account, its password and its address are still those that it was made
   * for; one that was not looked at leaves no trace, so that strangers cannot fill the trail.
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
    if (!held || !account) return undefined;
    await record(tx, account, true, ResetMethod.emailLink, origin);
    return issue(tx, account, held.passwordVersion, ResetMethod.emailLink);
  }

  /** Existing pages send the name in base64; it is taken as it stands first. */
  async function findRecipient(name: string, method: 2 | 4): Promise<ResolvedRecipient> {
    const spellings = [name, ...decodeName(name)];
    const found = await Promise.all(spellings.map((spelling) => recipientResolver.byName(spelling, method)));
    return found.find(({ account }) => account) ?? (found.at(-1) as ResolvedRecipient);
  }

  return {
    async giveCode({ name, code, method }, origin) {
      requireAllowed(settings, method);
      const resolved = await findRecipient(name, method);
      if (method === ResetMethod.emailLink && code.length >= LINK_LENGTH) {
        return database.transaction((tx) => takeLink(tx, resolved, code, origin));
      }
      const filter = { subject: resolved.recipient?.subject ?? resolved.unreached, purposes: PURPOSES };
      return database.transaction((tx) => tryPin(tx, resolved, filter, code, method, origin));
    },

    async givePin({ number: typed, operationId, pin: given }, origin) {
      requireAllowed(settings, ResetMethod.sms);
      const resolved = await recipientResolver.byNumber(phoneNumbers.parse(typed) ?? '');
      const filter = { operationId, purposes: PURPOSES };
      const subjects = [resolved.unreached, resolved.recipient?.subject];
      const pin = await pins.find(filter);
      // Somebody else's operation is left alone, whether anybody was sent its pin or not.
      if (!pin || !subjects.includes(pin.subject)) return undefined;
      return database.transaction((tx) => tryPin(tx, resolved, filter, given, ResetMethod.sms, origin));
    },
  };
}

/** What a name says when it is read as base64, if that is a text. */
function decodeName(name: string): string[] {
  if (!/^[A-Za-z0-9+/_-]{2,}={0,2}$/.test(name)) return [];
  const decoded = Buffer.from(name, 'base64').toString('utf8');
  return /^[^\p{C}\ufffd]+$/u.test(decoded) && nameKey(decoded) !== nameKey(name) ? [decoded] : [];
}

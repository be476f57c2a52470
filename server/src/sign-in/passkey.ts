// The passkey method: signs in without a name, or is the second factor.
import type { AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { AuthenticationMethod, Identified } from '../authentication/index.ts';
import { factorErrors, factorSettings, type GivenAssertion, type Passkeys } from '../factors/index.ts';
import type { Origin } from '../foundation/events.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import { accountSubject, factorsSubject, unknownSubject } from '../lockout/index.ts';
import { signInActions } from './declarations.ts';

/** An assertion, and the passkey that it names if that is one of the account. */
type FoundPasskey = Identified & {
  details: { passkey: string | null };
  passkey: Awaited<ReturnType<Passkeys['find']>>;
  given: GivenAssertion;
  challenged: { id: number } | undefined;
  origin: Origin;
};

type VerifiedPasskey = FoundPasskey & { assertion: Awaited<ReturnType<Passkeys['verifyAssertion']>> };

/**
 * A passkey that has verified its user is two factors (NIST SP 800-63B-4, 3.1.6). It clears and counts failures of the
 * account as a password does; an unknown passkey has failures of its own.
 */
export function createPasskeyMethod(deps: {
  accounts: AccountStore;
  passkeys: Passkeys;
  settings: SettingReader;
  secrets: Secrets;
  audit: AuditTrail;
}): AuthenticationMethod<GivenAssertion, FoundPasskey, VerifiedPasskey> {
  const { accounts, passkeys, settings, secrets, audit } = deps;
  return {
    name: 'passkey',
    amr: 'pop',
    action: signInActions.passkey,
    wrong: factorErrors.invalid,
    kind: 'passkeys',
    isEnrolled: async (tx, { id }) => (await passkeys.list(tx.sql, id)).length > 0,

    async find(given, origin, challenged) {
      if (!settings.read(factorSettings).passkeys) throw factorErrors.disabled();
      const { id: credentialId } = given.credential;
      const found = await passkeys.find(credentialId);
      // No account has the id 0. Reading it takes as long as reading an account.
      const account = challenged ?? (await accounts.find(found?.accountId ?? 0));
      const passkey = found?.accountId === account?.id ? found : undefined;
      const known = account ? accountSubject(account.id) : unknownSubject(secrets.mac('passkey', credentialId));
      const subject = challenged ? factorsSubject(challenged.id) : known;
      return { account, subject, details: { passkey: passkey?.id ?? null }, passkey, given, challenged, origin };
    },

    async verify(found) {
      const { passkey, given, challenged } = found;
      return { ...found, assertion: await passkeys.verifyAssertion(passkey, given, challenged?.id) };
    },

    async redeem(tx, { account, assertion, details, origin }) {
      await accounts.findForUpdate(tx.sql, account?.id ?? 0);
      if (!assertion || !account) return { proof: 'wrong' };
      const outcome = await passkeys.use(tx, assertion);
      if (outcome === 'over') return { proof: 'unchecked' };
      if (outcome === 'behind') {
        const user = { id: account.id, name: account.userName };
        const action = signInActions.passkeyCounterBehind;
        const reason = factorErrors.invalid.reason;
        await audit.record(tx, { action, outcome: 'refused', reason, user, origin, details });
      }
      if (outcome !== 'used') return { proof: 'wrong' };
      const { isUserVerified, passkey } = assertion;
      return {
        proof: 'right',
        amr: isUserVerified ? ['user'] : [],
        isMultiFactor: isUserVerified,
        passkeyId: passkey.id,
      };
    },
  };
}

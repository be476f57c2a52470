// Invitations: a new account's owner gets a link to set the first password. It is a reset link with a message of its own.
import { type Account, type AccountStore, accountErrors, type Credential } from '../accounts/index.ts';
import { createLockManaged, requireOther } from '../authorization/index.ts';
import { OFF, OUTBOX } from '../delivery/index.ts';
import type { ExternalLogins } from '../external-logins/index.ts';
import type { EnrolledFactorReader } from '../factors/index.ts';
import type { Manager } from '../foundation/authority.ts';
import { permissionErrors } from '../foundation/errors.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { SendProof } from '../proofs/index.ts';
import type { Roles } from '../roles/index.ts';
import { securitySettings } from '../settings/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { invitationErrors, resetActions } from './declarations.ts';
import { isAllowed, ResetMethod, requireAllowed } from './method.ts';
import { type RecipientResolver, toLinkHolder } from './recipient-resolver.ts';
import type { LinkToReset } from './requests.ts';
import { invitationMessages } from './templates.invitation.ts';

/** The languages that an invitation can have. */
export type InvitationLanguage = keyof typeof invitationMessages;

/**
 * Whether invitations can be sent: the setting allows reset links, and whether e-mail reaches people. The outbox only shows
 * messages to administrators. A link is valid for `lifetimeSeconds`.
 */
export type InvitationTerms = { isAllowed: boolean; reachesPeople: boolean; lifetimeSeconds: number };

export interface Invitations {
  readTerms(): InvitationTerms;
  /**
   * Mails a link to the account owner, to set the first password. The link verifies the e-mail address. It replaces the
   * account's older links.
   * @throws AuthError `account.notFound`, `permission.denied`, `reset.methodNotAllowed`, `invitation.notActive`,
   * `invitation.hasPassword`, `invitation.noAddress`, `invitation.tooMany`, `pin.cooldown`, `pin.dailyLimit`.
   */
  send(accountId: number, language: InvitationLanguage, by: Manager): Promise<void>;
}

/** Setting the password of an account that has an owner, such as one that signs in at a provider, is the right of `User/ResetPassword`. */
const OWNED_NEED = 'users:resetPassword';

/** The address of an own account may be new and not verified: an attacker's. */
const OWN = 'Reset your own password on the sign-in page, or ask another administrator to invite you.';

export function createInvitations(deps: {
  database: Database;
  accounts: AccountStore;
  roles: Roles;
  externalLogins: ExternalLogins;
  enrolledFactors: EnrolledFactorReader;
  recipientResolver: RecipientResolver;
  sendProof: SendProof;
  settings: SettingReader;
  linkToReset: LinkToReset;
  /** The name of the channel that carries e-mail. */
  mailChannel: string;
}): Invitations {
  const { database, accounts, externalLogins, enrolledFactors, recipientResolver, sendProof, settings, linkToReset } =
    deps;
  const lockManaged = createLockManaged(deps);
  const readLifetime = () => settings.read(securitySettings).resetPasswordEmailLinkLifetime;

  const isUsed = async (tx: Tx, { id, lastSignInAt }: Account) =>
    lastSignInAt !== null || (await externalLogins.list(tx.sql, id)).length > 0;

  /** Whether the account has, or had, what is its owner's: a verified number, a second factor, a former address or external login. */
  const isOwned = async (tx: Tx, { id, isMobileConfirmed }: Account) =>
    isMobileConfirmed || (await accounts.hadOwner(tx.sql, id)) || (await enrolledFactors.hasAny(tx.sql, id));

  /**
   * To set the password of an account in use, or to invite a person by another address than the verified ones, may change the owner.
   * @throws AuthError `permission.denied`.
   */
  async function requireForOwned(tx: Tx, account: Account, held: readonly string[]) {
    if (held.includes(OWNED_NEED)) return;
    if (await isUsed(tx, account))
      throw permissionErrors.denied({
        details: `This account is in use. You need the permission ${OWNED_NEED} to invite its owner.`,
      });
    if (!account.isEmailConfirmed && (await isOwned(tx, account)))
      throw permissionErrors.denied({
        details: `The e-mail address is not verified, and the account has or had an owner. You need the permission ${OWNED_NEED} to invite a person.`,
      });
  }

  /** Locks the account, if the administrator may manage it and its owner may set a first password. */
  async function lockInvited(tx: Tx, id: number, by: Manager): Promise<Account & { credential: Credential }> {
    const { account, held } = await lockManaged(tx, id, by);
    const credential = await accounts.findCredential(id, tx.sql);
    if (!credential) throw accountErrors.notFound();
    await requireForOwned(tx, account, held);
    if (!account.isActive) throw invitationErrors.notActive();
    if (credential.hash !== null) throw invitationErrors.hasPassword();
    return { ...account, credential };
  }

  return {
    readTerms: () => ({
      isAllowed: isAllowed(settings, ResetMethod.emailLink),
      reachesPeople: deps.mailChannel !== OUTBOX && deps.mailChannel !== OFF,
      lifetimeSeconds: readLifetime(),
    }),

    async send(accountId, language, by) {
      requireAllowed(settings, ResetMethod.emailLink);
      requireOther(accountId, by, OWN);
      await database.transaction(async (tx) => {
        const account = await lockInvited(tx, accountId, by);
        const invited = recipientResolver.forInvitation(account);
        const holder = toLinkHolder(invited, 'invitation');
        if (!holder) throw invitationErrors.noAddress();
        // The pin is not in the message. It counts the message against the limits of its address.
        const { isSent } = await sendProof(
          tx,
          {
            ...invited,
            purpose: 'reset-password',
            medium: 'email',
            ttlSeconds: readLifetime(),
            template: invitationMessages[language],
            link: {
              secret: { method: ResetMethod.emailLink, holder },
              toPage: ({ code }) => linkToReset(account, by.origin, code),
            },
            record: { action: resetActions.invited, details: { by: by.actor.name, byId: by.actor.id } },
          },
          by.origin,
        );
        if (!isSent) throw invitationErrors.tooMany();
      });
    },
  };
}

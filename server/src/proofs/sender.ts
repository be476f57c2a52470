// The sender of proofs: sends a pin, a link or both to an address, or does the same work and sends nothing.
import { type Account, ownerNames } from '../accounts/index.ts';
import { type Messages, type MessageTemplate, NOTICE_SECONDS } from '../delivery/index.ts';
import { addSeconds } from '../foundation/clock.ts';
import type { Occurrence, Origin } from '../foundation/events.ts';
import { maskAddress } from '../foundation/mask.ts';
import type { Medium } from '../foundation/medium.ts';
import type { Tx } from '../storage/database.ts';
import type { LinkRequest, OneTimeSecrets } from './one-time-secrets.ts';
import type { PinRequest, Pins } from './pins.ts';
import { addressInUseMessage } from './templates.ts';

/** An account that has an address, and the address at which its owner gets the notice, if any. */
export type Holder = { readonly account: Account; readonly to: string | null };

/** What a link may carry: the operation and its pin, or a link secret as `code`. Each is '' if it does not exist. */
type LinkParts = { readonly operationId: string; readonly pin: string; readonly code: string };

/**
 * A message to send, with a pin, a link or both, as its template says. A pin is issued in any case: it counts the message
 * against the limits of its name, account and address.
 */
export type ProofRequest = Omit<PinRequest, 'accountId'> & {
  /** The account that the name stands for, even if the service sends it nothing. */
  account: Account | undefined;
  /** The medium of the message, also of one that is not sent. */
  medium: Medium;
  /** It may use `{{pin}}`, `{{minutes}}`, `{{name}}`, `{{username}}`, `{{link}}` and `{{code}}`. */
  template: MessageTemplate;
  /** The link in the message, if it has one. It carries the pin, or with `secret` a secret of its own. */
  link?: { readonly secret?: LinkRequest; readonly toPage: (parts: LinkParts) => string };
  /**
   * Finds another account that has the address. Its owner gets a notice instead, and no message carries the pin or link. It
   * runs only within the limits, so that the time of a refusal does not tell whether there is such an account.
   */
  findAddressHolder?: () => Promise<Holder | undefined>;
  /** The audit entry. Its details also hold the masked address that the message went to, or null, unless they name another `to`. */
  record: Pick<Occurrence, 'action' | 'details'>;
};

/** A message that was requested: the operation id that goes with the pin, which is no credential, and whether it is sent. */
type SentProof = { operationId: string; isSent: boolean };

/**
 * Sends the message. The caller's answer must not depend on `isSent`, unless the caller may know the account.
 * @throws AuthError `pin.cooldown`, `pin.dailyLimit`.
 */
export type SendProof = (tx: Tx, request: ProofRequest, origin: Origin) => Promise<SentProof>;

export function createSendProof(deps: {
  pins: Pins;
  oneTimeSecrets: OneTimeSecrets;
  messages: Pick<Messages, 'queue'>;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
}): SendProof {
  const { pins, oneTimeSecrets, messages, record } = deps;

  return async (tx, request, origin) => {
    const { account, recipient, medium, template, link, ttlSeconds } = request;
    const { operationId, pin, expiresAt } = await pins.issue(tx, { ...request, accountId: account?.id ?? null });
    const isSent = pin !== null;
    const secret = link?.secret;
    const issued = secret && oneTimeSecrets.issueLink(tx, isSent ? secret : { ...secret, holder: null }, ttlSeconds);
    const code = (await issued) ?? '';
    const parts = { operationId, pin: pin ?? '', code };
    const addressHolder = await request.findAddressHolder?.();
    const message = addressHolder
      ? {
          ...addressHolder,
          template: addressInUseMessage,
          values: {},
          expiresAt: addSeconds(expiresAt, NOTICE_SECONDS),
        }
      : {
          template,
          // Mutation: `recipient?.to ?? null` becomes `recipient?.to`. Without a recipient, nothing is sent.
          to: recipient?.to ?? null,
          account: account ?? null,
          values: {
            pin: parts.pin,
            code,
            minutes: String(Math.ceil(ttlSeconds / 60)),
            ...(account && ownerNames(account)),
            ...(link && { link: link.toPage(parts) }),
          },
          expiresAt,
        };
    const to = isSent ? message.to : null;
    await messages.queue(tx, { ...message, medium, to, frontEnd: origin.frontEnd });
    const { action, details } = request.record;
    await record(tx, {
      action,
      outcome: 'success',
      ...(account && { user: { id: account.id, name: account.userName } }),
      ...(!account && addressHolder && { user: { id: addressHolder.account.id, name: null } }),
      origin,
      details: { to: to === null ? null : maskAddress(to), ...details },
    });
    return { operationId, isSent };
  };
}

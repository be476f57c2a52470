// The slice of password reset.
import { securitySettings } from '../settings/index.ts';
import type { Capabilities, Slice } from '../slice.ts';
import { invitationErrors, resetActions, resetErrors } from './declarations.ts';
import { revokeDisabledMethods } from './disabled-methods.ts';
import { createInvitations } from './invitations.ts';
import { createResetOptions } from './options.ts';
import { createPasswordReplacement } from './password-replacement.ts';
import { createSettleProof } from './proof-settlement.ts';
import { createResetProofs } from './proofs.ts';
import { createQuestionRounds } from './question-round.ts';
import { createQuestionSelector } from './question-selector.ts';
import { createRecipientResolver } from './recipient-resolver.ts';
import { createLinkToReset, createResetRequests } from './requests.ts';
import { invitationRoutes } from './routes.invitations.ts';
import { passwordResetRoutes } from './routes.ts';
import { invitationMessages } from './templates.invitation.ts';
import { passwordChangedMessage, resetLinkMessage, resetPinMessage } from './templates.ts';
import { createTokenRedemption } from './token-redemption.ts';

export const passwordResetSlice = {
  declarations: {
    settings: [resetLinkMessage, resetPinMessage, passwordChangedMessage, ...Object.values(invitationMessages)],
    errors: [resetErrors, invitationErrors],
    actions: [resetActions],
  },
  create(capabilities: Capabilities) {
    const { settings, pins, oneTimeSecrets, withUniformTiming } = capabilities;
    const settleProof = createSettleProof(capabilities);
    const recipientResolver = createRecipientResolver(capabilities);
    const questionSelector = createQuestionSelector(capabilities);
    const linkToReset = createLinkToReset(capabilities);
    const invitations = createInvitations({ ...capabilities, recipientResolver, linkToReset });
    const replacePassword = createPasswordReplacement(capabilities);
    settings.whenChanged(securitySettings, (tx, value) => revokeDisabledMethods(tx, value, { pins, oneTimeSecrets }));
    return {
      routes: [
        ...passwordResetRoutes({
          options: createResetOptions({ ...capabilities, recipientResolver, questionSelector }),
          requests: createResetRequests({ ...capabilities, recipientResolver, linkToReset }),
          proofs: createResetProofs({ ...capabilities, recipientResolver, settleProof }),
          questionRounds: createQuestionRounds({ ...capabilities, questionSelector, settleProof }),
          redeemToken: createTokenRedemption({ ...capabilities, replacePassword }),
          withUniformTiming,
        }),
        ...invitationRoutes(invitations),
      ],
    };
  },
} satisfies Slice;

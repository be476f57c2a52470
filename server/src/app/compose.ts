// The composition: where capabilities become journeys, journeys become calls, and all of it a service, top to bottom.
import {
  accountAdministrationRoutes,
  createAccountAdministration,
  createExternalLoginAdministration,
} from '../account-administration/index.ts';
import { createNames } from '../accounts/index.ts';
import { auditRoutes } from '../audit/index.ts';
import { createAuthorization } from '../authorization/index.ts';
import { deliveryRoutes } from '../delivery/index.ts';
import { createEvenTime } from '../foundation/even-time.ts';
import { frontEndRoutes } from '../front-ends/index.ts';
import { createGuard } from '../http/guard.ts';
import {
  createAddressProofs,
  createAddressRequests,
  createExternalLogins,
  createLinking,
  createMyAccount,
  createMyQuestions,
  createOwnerNotices,
  createOwnerProofs,
  myAccountRoutes,
} from '../my-account/index.ts';
import {
  createAsking,
  createPasswordReset,
  createQuestionRounds,
  createReach,
  createRenewal,
  createResetOptions,
  createResetProofs,
  createResetRequests,
  createResetSender,
  createResetStore,
  createResetTokens,
  endSwitchedOff,
  passwordResetRoutes,
} from '../password-reset/index.ts';
import { providerRoutes } from '../providers/index.ts';
import {
  createAddresses,
  createNewcomers,
  createRegistration,
  createRegistrationProofs,
  registrationRoutes,
} from '../registration/index.ts';
import { createSecurityAnswerStore, createSecurityAnswers } from '../security-questions/index.ts';
import { securitySettings, settingRoutes } from '../settings/index.ts';
import {
  createAttempts,
  createExternalRegistration,
  createExternalSignIn,
  createFindLockoutPolicy,
  createOpening,
  createPasswordProof,
  createPinRequests,
  createPinSignIn,
  createSignIn,
  signInRoutes,
} from '../sign-in/index.ts';
import { tokenErrors } from '../tokens/index.ts';
import { createCapabilities, type Ingredients } from './capabilities.ts';

/** The running parts: for the server, the command line and tests. */
export type Service = Awaited<ReturnType<typeof composeService>>;

/** Puts the service together; it listens to nobody yet. */
export async function composeService(ingredients: Ingredients) {
  const { database, issuer, clock, random } = ingredients;
  const capabilities = await createCapabilities(ingredients);
  const { settings, audit, accounts, phoneNumbers, passwords, lockouts, sessions, pins, messages } = capabilities;
  const { secrets, frontEnds, courier, answerHashing, links, providers, review } = capabilities;

  const findLockoutPolicy = createFindLockoutPolicy(settings);
  const attempts = createAttempts({ database, lockouts, findLockoutPolicy, audit, clock });
  const names = createNames({ database, accounts, phoneNumbers, secrets });
  const opening = createOpening({ accounts, sessions, audit, clock });
  const proof = createPasswordProof({ attempts, passwords });
  const signIn = createSignIn({ database, accounts, names, proof, opening, sessions, audit });
  const pinRequests = createPinRequests({ database, names, phoneNumbers, pins, messages, settings, audit });
  const pinSignIn = createPinSignIn({ accounts, phoneNumbers, pins, attempts, opening, audit });
  const externalRegistration = createExternalRegistration({
    database,
    accounts,
    links,
    passwords,
    review,
    audit,
    clock,
  });
  const externalSignIn = createExternalSignIn({
    accounts,
    links,
    providers,
    registration: externalRegistration,
    attempts,
    opening,
    audit,
  });
  const prove = proof.prove;
  const ownerProofs = createOwnerProofs({ accounts, prove });
  const tellOwner = createOwnerNotices({ messages, phoneNumbers, clock });
  const myAccount = createMyAccount({ database, accounts, passwords, ownerProofs, sessions, settings, audit, clock });
  const addressRequests = createAddressRequests({ accounts, phoneNumbers, prove, pins, messages, settings, audit });
  const addressProofs = createAddressProofs({
    database,
    accounts,
    phoneNumbers,
    pins,
    messages,
    sessions,
    audit,
    clock,
  });
  const answerStore = createSecurityAnswerStore(database);
  const answers = createSecurityAnswers({ store: answerStore, passwords: answerHashing, settings, secrets, clock });
  const myQuestions = createMyQuestions({ database, answers, ownerProofs, tellOwner, settings, audit });
  const linking = createLinking({ links, sessions, tellOwner, clock });
  const externalLogins = createExternalLogins({
    database,
    accounts,
    phoneNumbers,
    linking,
    providers,
    ownerProofs,
    audit,
  });
  const addresses = createAddresses({ accounts, phoneNumbers });
  const proofs = createRegistrationProofs({ database, addresses, pins, messages, settings, audit, publicUrl: issuer });
  const newcomers = createNewcomers({ database, accounts, phoneNumbers, proofs, passwords, settings });
  const registration = createRegistration({ database, accounts, newcomers, proofs, audit, clock });
  const resetTokens = createResetTokens({ store: createResetStore(database), secrets, clock, random });
  const reach = createReach({ names, phoneNumbers });
  const sender = createResetSender({ pins, tokens: resetTokens, messages, settings, audit, publicUrl: issuer });
  const resetRequests = createResetRequests({ database, reach, phoneNumbers, sender, settings });
  const resetProofs = createResetProofs({ database, reach, phoneNumbers, pins, tokens: resetTokens, settings, audit });
  const asking = createAsking({ names, answers, settings });
  const questionRounds = createQuestionRounds({
    database,
    asking,
    passwords: answerHashing,
    lockouts,
    findLockoutPolicy,
    tokens: resetTokens,
    settings,
    audit,
  });
  const options = createResetOptions({ reach, asking, phoneNumbers, settings, secrets });
  const renewal = createRenewal({ accounts, sessions, lockouts, pins, tellOwner, audit, clock });
  const passwordReset = createPasswordReset({
    database,
    names,
    passwords,
    tokens: resetTokens,
    renewal,
    lockouts,
    findLockoutPolicy,
    answers,
    settings,
  });
  settings.whenChanged(securitySettings, (tx, value) => endSwitchedOff(tx, value, { pins, tokens: resetTokens }));
  const administration = createAccountAdministration({
    database,
    accounts,
    phoneNumbers,
    lockouts,
    sessions,
    answers,
    audit,
    clock,
  });
  const { unlink } = linking;
  const linkAdministration = createExternalLoginAdministration({ database, accounts, links, unlink, audit });

  const authorization = createAuthorization({ accounts, sessions });
  const guard = createGuard({ authorization, missingToken: tokenErrors.missing });
  const evenly = createEvenTime(clock);
  const requireMaintainer = (token: string | undefined) => guard.admit({ access: 'pages:maintenance' }, token);

  const routes = [
    ...signInRoutes({ signIn, pinRequests, pinSignIn, externalSignIn, evenly }),
    ...providerRoutes(providers),
    ...myAccountRoutes({ myAccount, addressRequests, addressProofs, myQuestions, externalLogins }),
    ...registrationRoutes({ proofs, registration, settings }),
    ...passwordResetRoutes({
      options,
      requests: resetRequests,
      proofs: resetProofs,
      questionRounds,
      passwordReset,
      evenly,
    }),
    ...accountAdministrationRoutes({ administration, externalLogins: linkAdministration, passwords, settings }),
    ...settingRoutes({ settings, requireFrontEnd: frontEnds.require, requireMaintainer }),
    ...frontEndRoutes(frontEnds),
    ...auditRoutes(audit),
    ...deliveryRoutes({ messages, courier }),
  ];

  return { ...capabilities, database, routes, guard, signIn, resetTokens, administration, requireMaintainer };
}

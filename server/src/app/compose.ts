// The composition: builds slices from the capabilities, and a service from the slices.
import { createAbpCompatibility } from '../abp-compatibility/index.ts';
import { createAdministration } from '../account-administration/index.ts';
import { createAccountImportSlice } from '../account-import/index.ts';
import { createAccountCounts } from '../accounts/index.ts';
import { createAuditSlice } from '../audit/index.ts';
import { createAuthenticationSlice } from '../authentication/index.ts';
import { createFindAbove } from '../authorization/index.ts';
import { createBrandSlice } from '../brands/index.ts';
import { createBudgetSlice } from '../budgets/index.ts';
import { RELEASED_AT, VERSION } from '../config/version.ts';
import { createCounterSlice } from '../counters/index.ts';
import { createDeliverySlice } from '../delivery/index.ts';
import { createFactorSlice } from '../factors/index.ts';
import { createFrontEndSlice } from '../front-ends/index.ts';
import { createGuard } from '../http/guard.ts';
import { createIntrospectionSlice } from '../introspection/index.ts';
import { createLockoutSlice } from '../lockout/index.ts';
import { createMyAccount } from '../my-account/index.ts';
import { createMyFactorSlice } from '../my-factors/index.ts';
import { createOverviewSlice } from '../overview/index.ts';
import { createOwnerNoticeSlice } from '../owner-notices/index.ts';
import { createPasswordReset } from '../password-reset/index.ts';
import { createProofSlice } from '../proofs/index.ts';
import { createProviderSlice } from '../providers/index.ts';
import { createRateLimitSlice } from '../rate-limits/index.ts';
import { createRegistration, registrationActions } from '../registration/index.ts';
import { createFeedSlice } from '../revocation-feed/index.ts';
import { createRoleSlice } from '../roles/index.ts';
import { createServiceKeySlice } from '../service-keys/index.ts';
import { createSettingSlice } from '../settings/index.ts';
import { createSignIn, signInActions } from '../sign-in/index.ts';
import type { Slice } from '../slice.ts';
import { createTokenSlice, tokenErrors } from '../tokens/index.ts';
import { createCapabilities, type ServiceOptions } from './capabilities.ts';
import { errorKinds } from './catalogue.ts';

/** A composed service, for the server, the command line and tests. */
export type Service = Awaited<ReturnType<typeof composeService>>;

/** Composes a service. It does not listen yet. */
export async function composeService(options: ServiceOptions) {
  const capabilities = await createCapabilities(options);
  const { authorization, frontEnds, secondFactors } = capabilities;
  const guard = createGuard({ authorization, missingToken: tokenErrors.missing });
  const requireMaintainer = (token: string | undefined) => guard.authorize({ access: 'pages:maintenance' }, token);
  const { administration, ...administrationSlice } = createAdministration(capabilities);

  const signIn = createSignIn(capabilities);
  const overview = createOverviewSlice(
    { ...capabilities, countAccounts: createAccountCounts(capabilities.database) },
    {
      methods: signIn.methods,
      registrations: { address: registrationActions.registered, provider: signInActions.externalRegistered },
      reasons: errorKinds.map(({ reason }) => reason),
    },
  );

  const slices: readonly Slice[] = [
    signIn,
    createProviderSlice(capabilities),
    createMyAccount(capabilities),
    createMyFactorSlice(capabilities, options.issuer),
    createRegistration(capabilities),
    createPasswordReset(capabilities, options.channels.email.name),
    administrationSlice,
    createAccountImportSlice(capabilities),
    createSettingSlice({ ...capabilities, requireFrontEnd: frontEnds.require, requireMaintainer }),
    createRoleSlice(capabilities),
    createFrontEndSlice(capabilities),
    createBrandSlice({ ...capabilities, resolveFrontEnd: frontEnds.resolve }),
    createAbpCompatibility(capabilities, { version: VERSION, date: RELEASED_AT }),
    createAuditSlice(capabilities),
    createDeliverySlice({ ...capabilities, findAbove: createFindAbove(capabilities) }),
    createOwnerNoticeSlice(capabilities),
    createTokenSlice(capabilities),
    createFeedSlice(capabilities),
    createServiceKeySlice(capabilities),
    createIntrospectionSlice(capabilities),
    createAuthenticationSlice(capabilities),
    createFactorSlice(capabilities),
    createLockoutSlice(capabilities),
    createRateLimitSlice(capabilities),
    createProofSlice(capabilities),
    createBudgetSlice(capabilities),
    createCounterSlice(capabilities),
    overview,
  ];
  for (const method of slices.flatMap(({ methods = [] }) => methods)) secondFactors.register(method);
  const routes = slices.flatMap((slice) => slice.routes ?? []);
  const endpoints = slices.flatMap((slice) => slice.endpoints ?? []);
  const jobs = slices.flatMap((slice) => slice.jobs ?? []);

  return { ...capabilities, routes, endpoints, jobs, guard, administration, requireMaintainer };
}

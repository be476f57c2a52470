// Acme for tests: its identity server, and the guide's extension, which signs people in through it.
import type { ExternalLoginProviderInfo } from '../../src/providers/index.ts';
import type { ResultOf } from './calls.ts';
import { load, writeExtension } from './extensions.ts';
import { readGuideFile } from './guide.ts';
import { type AcmeProfile, createProfile, type IdentityServer, startIdentityServer } from './identity-server.ts';
import type { TestAnswer, TestCall, TestService } from './service.ts';

export const EXTERNAL = '/api/TokenAuth/ExternalAuthenticateAsync';

/** Writes `acme.ts` as the guide prints it into a new, empty folder. @returns its path. */
export const writeAcme = () => writeExtension('acme.ts', readGuideFile('external-providers.md', 'acme.ts'));

/** What `acme.ts` reads from the environment. */
export const acmeVariables = ({ url, clientId, clientSecret }: IdentityServer) => ({
  ACME_URL: url,
  ACME_CLIENT_ID: clientId,
  ACME_CLIENT_SECRET: clientSecret,
});

export interface Acme {
  readonly server: IdentityServer;
  /** As the extension has registered it. */
  readonly provider: ExternalLoginProviderInfo;
}

/** Starts the identity server, and loads the extension. One for each process: the extension reads the environment. */
export async function startAcme(): Promise<Acme> {
  const server = await startIdentityServer();
  Object.assign(process.env, acmeVariables(server));
  const { additions } = await load([writeAcme()]);
  const [provider] = additions.providers;
  if (!provider) throw new Error('acme.ts has registered nothing.');
  return { server, provider };
}

/** What a front end sends for a person who returns from Acme; `more` replaces members of it. */
export const proofOf = ({ server, provider }: Acme, profile: AcmeProfile, more: object = {}) => ({
  authProvider: provider.name,
  providerKey: String(profile.id),
  providerAccessCode: server.issueCode(profile),
  ...more,
});

/** Signs in the person with this profile at Acme. */
export function enter(
  test: TestService,
  acme: Acme,
  profile: AcmeProfile = createProfile(),
  { more = {}, ...call }: TestCall & { more?: object } = {},
): Promise<TestAnswer<ResultOf<'POST', typeof EXTERNAL>>> {
  return test.post(EXTERNAL, { ...call, body: proofOf(acme, profile, more) });
}

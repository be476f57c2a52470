// The set-up of a test server: its configuration, as `latchkey config apply` applies one, and its users.
import { resolve } from 'node:path';
import { toAccountInput } from '../account-changes/index.ts';
import type { Service } from '../app/compose.ts';
import { operator } from '../app/first-start.ts';
import {
  configurationOf,
  isReference,
  parseConfiguration,
  readConfigurationFile,
  secretsOf,
  sections,
  toPlace,
} from '../configuration/index.ts';
import { isObject } from '../foundation/object.ts';
import { otpSettings, readPin } from '../proofs/index.ts';
import type { TestOptions } from './options.ts';

type Variables = Readonly<Record<string, string | undefined>>;
type Content = Readonly<Record<string, unknown>>;

/** All requests of a test come from one address. */
const MANY_SIGN_INS = { 'Latchkey.RateLimiting': { loginPermitLimit: 100_000, otpPermitLimit: 100_000 } };

const BY = operator('test server');

/**
 * Configures the service: the options win over their configuration, and that over what all test servers have.
 * @param path of the configuration file that applies without a configuration in the options.
 * @returns the secrets that the service has made, by the path of their member.
 * @throws ConfigurationError
 */
export async function configure(
  service: Service,
  options: TestOptions,
  path: string | undefined,
  variables: Variables,
): Promise<Record<string, string>> {
  const { settings = {}, applications = {}, config = path ?? {}, file } = options;
  const configuration = configurationOf(service);
  const secrets: Record<string, string> = {};

  async function apply(content: Content | string) {
    const source =
      typeof content === 'string'
        ? { file: readConfigurationFile(resolve(file.folder, content)), variables }
        : toFile(content, variables);
    const { file: configured, ...sources } = source;
    const outcome = await configuration.apply(configured, { by: BY, prunes: false, takesSecrets: true, ...sources });
    Object.assign(secrets, outcome.secrets);
  }

  await apply({ settings: MANY_SIGN_INS });
  await apply(config);
  await apply({ settings, applications });
  return secrets;
}

/** Returns the content as a file, which names no secret: they are variables beside it. */
function toFile(content: Content, variables: Variables) {
  const given: Record<string, string> = {};
  const keep = (secret: string) => {
    const name = `GIVEN_SECRET_${Object.keys(given).length}`;
    given[name] = secret;
    return `\${ENV:${name}}`;
  };
  const shown = Object.entries(content).map(([section, things]) => [section, withoutSecrets(section, things, keep)]);
  const text = JSON.stringify(Object.fromEntries(shown));
  return { file: parseConfiguration(text, 'config'), variables: { ...variables, ...given } };
}

/** Returns the things of a section with a reference for each secret that stands in them. */
function withoutSecrets(section: string, things: unknown, keep: (secret: string) => string): unknown {
  const known = Object.entries(sections).find(([name]) => name === section)?.[1];
  if (!known || !isObject(things)) return things;
  const secrets = secretsOf(known.schema);
  const toShown = ([member, value]: [string, unknown]) => [
    member,
    secrets.includes(member) && typeof value === 'string' && !isReference(value) ? keep(value) : value,
  ];
  return Object.fromEntries(
    Object.entries(things).map(([name, thing]) => [
      name,
      isObject(thing) ? Object.fromEntries(Object.entries(thing).map(toShown)) : thing,
    ]),
  );
}

/** @throws ConfigurationError if the settings allow no pin like the one of the options. */
export function requirePossiblePin({ settings }: Service, { pin, file }: TestOptions): void {
  const { alphabet, passwordLength: length } = settings.read(otpSettings);
  if (pin === undefined || readPin(pin, { alphabet, length }) === pin) return;
  throw file.refuse(['pin'], `The setting ${otpSettings.name} demands ${length} of these characters: ${alphabet}`);
}

/** Creates the users. Their passwords need not meet the rules. @throws ConfigurationError */
export async function createUsers({ administration, passwords }: Service, { users = [], file }: TestOptions) {
  for (const [index, input] of users.entries()) {
    const password = input.password == null ? null : { hash: await passwords.hash(input.password) };
    await administration.create(toAccountInput(input), password, BY).catch((error) => {
      throw toPlace(file, ['users', String(index)], error);
    });
  }
}

// The options of a test server: what it has when it is ready. A file or the starting process gives them, as YAML or JSON.
import { type Static, Type } from 'typebox';
import { CreateInput } from '../account-changes/index.ts';
import {
  type ConfigurationFile,
  parseConfiguration,
  readConfigurationFile,
  refusing,
  requireKnownMembers,
} from '../configuration/index.ts';
import { checkInput } from '../contract/input.ts';
import { Secret, Text } from '../contract/schemas.ts';

const Members = Type.Record(Type.String(), Type.Unknown());

const Options = Type.Object({
  /** 0: a free one. Default: `LATCHKEY_PORT`. */
  port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
  publicUrl: Type.Optional(Text({ maxLength: 2000 })),
  /** What every pin is. */
  pin: Type.Optional(Secret({ maxLength: 20 })),
  users: Type.Optional(Type.Array(CreateInput)),
  settings: Type.Optional(Members),
  applications: Type.Optional(Members),
  /** A configuration, or the path of its file. */
  config: Type.Optional(Type.Union([Text({ maxLength: 4000 }), Members])),
});

export type TestOptions = Static<typeof Options> & {
  /** Where they come from: errors name it, and paths begin at its folder. */
  readonly file: ConfigurationFile;
};

/** Reads the options from a file. @throws ConfigurationError */
export const readOptionsFile = (path: string): TestOptions => toOptions(readConfigurationFile(path));

/** Reads the options from a text. @throws ConfigurationError */
export const parseOptions = (text: string): TestOptions => toOptions(parseConfiguration(text, 'options'));

function toOptions(file: ConfigurationFile): TestOptions {
  const { users } = file.content;
  const content = { ...file.content, ...(Array.isArray(users) && { users: users.map(toUser) }) };
  requireKnownMembers(file, Options, content, []);
  return { ...refusing(file, [], () => checkInput(Options, content)), file };
}

/** A name alone is an account without a password. */
const toUser = (user: unknown) => (typeof user === 'string' ? { userName: user } : user);

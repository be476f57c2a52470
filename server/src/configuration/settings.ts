// The settings of a file: general ones, those of front ends, and brands, which are settings too.
import { type Brands, brandSetting } from '../brands/index.ts';
import type { Manager } from '../foundation/authority.ts';
import { invalidMember, isRefusal } from '../foundation/errors.ts';
import { isObject, isRecord } from '../foundation/object.ts';
import type { SettingDefinition } from '../foundation/setting.ts';
import { type FrontEnds, linkSetting } from '../front-ends/index.ts';
import type { Settings } from '../settings/index.ts';
import type { ConfigurationFile } from './file.ts';
import type { Item, Kind, Members, Wanted } from './kind.ts';
import { readMembers, requireKnownMembers, requireKnownNames } from './members.ts';
import type { Path } from './problem.ts';
import { readPicture, type Sources } from './references.ts';

/** A value of a setting. `appKey` is '' for a general one. */
type Input = {
  readonly definition: SettingDefinition;
  readonly appKey: string;
  readonly value: unknown;
  /** Logos that the file gives by a reference, by their member. */
  readonly logos: Readonly<Record<string, Buffer>>;
};

/** The members of a brand that are pictures. */
export const LOGO_MEMBERS = ['logo', 'logoDark'];

const isBrand = ({ name }: SettingDefinition) => name === brandSetting.name;

const keyOf = ({ name }: { readonly name: string }, appKey: string) => `${name}\n${appKey}`;

function pathOf(definition: SettingDefinition, appKey: string): Path {
  if (definition.scope === 'general') return ['settings', definition.name];
  return isBrand(definition) ? ['brands', appKey] : ['frontEnds', appKey, 'settings', definition.name];
}

/** Returns the members to compare: those of a compound, or the value. */
const membersOf = ({ kind }: SettingDefinition, value: unknown): Members =>
  kind === 'compound' && isObject(value) ? value : { value };

type Deps = { settings: Settings; frontEnds: FrontEnds; brands: Brands };

export function createSettingKind({ settings, frontEnds, brands }: Deps): Kind<Input> {
  /** First the origins of links: what others may hold depends on them. */
  const definitions = settings.definitions.toSorted(
    (one, other) => Number(other.name === linkSetting.name) - Number(one.name === linkSetting.name),
  );
  const general = definitions.filter(({ scope }) => scope === 'general');
  const ofFrontEnds = definitions.filter((one) => one.scope === 'frontEnd' && !isBrand(one));

  function readAll(
    file: ConfigurationFile,
    known: readonly SettingDefinition[],
    value: unknown,
    path: Path,
    appKey: string,
  ) {
    if (value === undefined) return [];
    const named = readMembers(file, value, path);
    const names = known.map(({ name }) => name);
    requireKnownNames(file, names, named, path);
    return known.flatMap((definition) =>
      Object.hasOwn(named, definition.name) ? [readOne(file, definition, named[definition.name], appKey)] : [],
    );
  }

  /** Stores a logo. @returns its file name. @throws AuthError `request.invalid`, which names the member of the brand. */
  const upload = (member: string, bytes: Buffer, by: Manager) =>
    brands.uploadLogo(bytes, by).catch((error) => {
      throw isRefusal(error) ? invalidMember(member, error.details) : error;
    });

  return {
    async list(tx) {
      const keys = (await frontEnds.readAll(tx)).map(({ appKey }) => appKey).toSorted();
      const stored = new Map((await settings.overrides(tx)).map((one) => [keyOf(one, one.appKey), one.value]));
      const places = definitions.flatMap((definition) =>
        (definition.scope === 'general' ? [''] : keys).map((appKey) => ({ definition, appKey })),
      );
      return new Map(places.map(({ definition, appKey }) => toEntry(definition, appKey, stored)));
    },
    read(file, sources) {
      const { content } = file;
      const ofEach = Object.entries(sectionOf(content, 'frontEnds')).flatMap(([appKey, frontEnd]) => {
        const own = isObject(frontEnd) ? frontEnd.settings : undefined;
        return readAll(file, ofFrontEnds, own, ['frontEnds', appKey, 'settings'], appKey);
      });
      const ofBrands = Object.entries(
        content.brands === undefined ? {} : readMembers(file, content.brands, ['brands']),
      ).map(([appKey, brand]) => readBrand(file, sources, brand, appKey));
      return [...readAll(file, general, content.settings, ['settings'], ''), ...ofEach, ...ofBrands];
    },
    covers(content, { path: [section = '', appKey = '', inner] }) {
      if (inner === undefined) return content[section] !== undefined;
      const frontEnd = sectionOf(content, section)[appKey];
      return isObject(frontEnd) && frontEnd.settings !== undefined;
    },
    hasSecret: async () => true,
    async add({ input: { appKey } }, { tx }) {
      await frontEnds.requireIn(tx, appKey);
      throw new Error('Each front end that is stored has its settings.');
    },
    async change({ input: { definition, appKey, value, logos } }, { members }, { tx, by, noteRestored }) {
      const stored: Record<string, string> = {};
      for (const [member, bytes] of Object.entries(logos)) {
        const before = String(members[member]);
        const wasStored = await brands.hasLogo(tx, before);
        const fileName = await upload(member, bytes, by);
        stored[member] = fileName;
        if (!wasStored && fileName === before) noteRestored(member);
      }
      const whole = isRecord(value) ? { ...value, ...stored } : value;
      await settings.update(definition.name, appKey, whole, by);
      return {};
    },
    async remove({ id, path }, { by }) {
      await settings.reset(id, path[0] === 'settings' ? '' : (path[1] ?? ''), by);
    },
  };
}

const sectionOf = (content: Members, section: string): Members => {
  const value = content[section];
  return isObject(value) ? value : {};
};

function toEntry(definition: SettingDefinition, appKey: string, stored: ReadonlyMap<string, unknown>): [string, Item] {
  const key = keyOf(definition, appKey);
  const isStored = stored.has(key);
  const value = isStored ? stored.get(key) : definition.default;
  return [
    key,
    {
      path: pathOf(definition, appKey),
      id: definition.name,
      members: membersOf(definition, value),
      ...(isStored && { exported: value }),
      isRemovable: isStored,
      secrets: [],
    },
  ];
}

function readOne(
  file: ConfigurationFile,
  definition: SettingDefinition,
  value: unknown,
  appKey: string,
): Wanted<Input> {
  const path = pathOf(definition, appKey);
  if (definition.kind === 'compound') readMembers(file, value, path);
  requireKnownMembers(file, definition.schema, value, path);
  return {
    key: keyOf(definition, appKey),
    path,
    input: { definition, appKey, value, logos: {} },
    members: membersOf(definition, value),
    secrets: {},
  };
}

/** Reads a brand. Its logos may be files, which become stored ones when the brand changes. @throws ConfigurationError */
function readBrand(file: ConfigurationFile, sources: Sources, value: unknown, appKey: string): Wanted<Input> {
  const wanted = readOne(file, brandSetting, value, appKey);
  const logos = LOGO_MEMBERS.flatMap((member): [string, Buffer][] => {
    const picture = readPicture(wanted.members[member], sources);
    if (picture === undefined) return [];
    if ('problem' in picture) throw file.refuse([...wanted.path, member], picture.problem);
    return [[member, picture.bytes]];
  });
  return { ...wanted, input: { ...wanted.input, logos: Object.fromEntries(logos) } };
}

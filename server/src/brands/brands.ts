// Brands: what the sign-in pages and messages of a front end show, and its uploaded logo.
import { createHash } from 'node:crypto';
import type { Manager } from '../foundation/authority.ts';
import type { Clock } from '../foundation/clock.ts';
import { errorMessageOf, invalidMember } from '../foundation/errors.ts';
import type { Occurrence } from '../foundation/events.ts';
import { isObject } from '../foundation/object.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database, Tx } from '../storage/database.ts';
import { type Brand, combineBrand, type OwnBrand, toHexColour } from './brand.ts';
import { brandActions } from './declarations.ts';
import { cleanPicture, MAX_LOGO_BYTES } from './picture.ts';
import { applicationSetting, brandSetting } from './settings.ts';
import type { LogoStore } from './store.sql.ts';

/** So many logos stay besides those in use, so that an administrator can take a change back. */
const MOST_UNUSED_LOGOS = 100;

export interface Brands {
  /** Returns the brand of a registered front end. */
  find(frontEnd: string): Brand;
  /** Returns what messages show of it, or of `Latchkey.Application` alone: the name, and the colour as `#rrggbb`. */
  findForMessages(frontEnd: string | null): { readonly name: string; readonly colour: string };
  /**
   * Stores a logo. It is shown once a brand names it.
   * @returns its file name.
   * @throws AuthError `request.invalid` for a file that is no PNG or SVG picture, is too large, or holds more than shapes.
   */
  uploadLogo(bytes: Buffer, by: Manager): Promise<string>;
  /** Whether a logo is stored, as the transaction sees it. */
  hasLogo(tx: Tx, fileName: string): Promise<boolean>;
  /** Returns the bytes of a stored logo. */
  readLogo(fileName: string): Promise<Buffer | undefined>;
  /** Requires that the logos of a changed brand are stored, and keeps them. @throws AuthError `request.invalid`. */
  keepLogos(tx: Tx, brand: Pick<OwnBrand, 'logo' | 'logoDark'>): Promise<void>;
}

export function createBrands(deps: {
  database: Database;
  store: LogoStore;
  settings: SettingReader & {
    /** Returns the stored values as the transaction sees them. Until it ends, no other one changes them. */
    overrides(tx: Tx): Promise<readonly { readonly name: string; readonly value: unknown }[]>;
  };
  /** The key of the front end whose brand the others take over. */
  standardFrontEnd: string;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  clock: Clock;
}): Brands {
  const { database, store, settings, standardFrontEnd, record, clock } = deps;

  /** Returns the logos of all brands, also of those that the transaction has changed. */
  async function readLogosInUse(tx: Tx): Promise<string[]> {
    const values = (await settings.overrides(tx)).filter(({ name }) => name === brandSetting.name);
    return values.flatMap(({ value }) => (isObject(value) ? [String(value.logo), String(value.logoDark)] : []));
  }

  const find = (frontEnd: string): Brand =>
    combineBrand(
      settings.read(brandSetting, frontEnd),
      settings.read(brandSetting, standardFrontEnd),
      settings.read(applicationSetting),
    );

  return {
    find,
    findForMessages(frontEnd) {
      const { name, colour } = frontEnd === null ? settings.read(applicationSetting) : find(frontEnd);
      return { name, colour: toHexColour(colour) };
    },

    async uploadLogo(given, by) {
      const { actor, origin, authorize } = by;
      const { kind, bytes } = await cleanPicture(given, MAX_LOGO_BYTES).catch((error) => {
        throw invalidMember('content', errorMessageOf(error));
      });
      const fileName = `${createHash('sha256').update(bytes).digest('hex')}.${kind}`;
      await database.transaction(async (tx) => {
        await authorize(tx);
        if (await store.use(tx.sql, fileName, clock.now())) return;
        const inUse = await readLogosInUse(tx);
        await store.add(tx.sql, { fileName, bytes, usedAt: clock.now() });
        await store.deleteUnused(tx.sql, [fileName, ...inUse], MOST_UNUSED_LOGOS);
        const details = { fileName, size: bytes.length };
        await record(tx, { action: brandActions.logoUploaded, outcome: 'success', user: actor, origin, details });
      }, by);
      return fileName;
    },

    hasLogo: (tx, fileName) => store.has(tx.sql, fileName),
    readLogo: store.read,

    async keepLogos(tx, brand) {
      for (const member of ['logo', 'logoDark'] as const) {
        const fileName = brand[member];
        if (fileName === '' || (await store.use(tx.sql, fileName, clock.now()))) continue;
        throw invalidMember(member, 'This logo is no longer stored. Upload it again.');
      }
    },
  };
}

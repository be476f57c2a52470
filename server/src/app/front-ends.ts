// What belongs to front ends: their list, the links that lead to their pages, and their brands.
import { brandSetting, createBrands, createLogoStore } from '../brands/index.ts';
import { isMessageTemplate, requireUnexposed } from '../delivery/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import type { Random } from '../foundation/random.ts';
import {
  baseAddressSetting,
  createFrontEndStore,
  createFrontEnds,
  createLinks,
  DEFAULT_FRONT_END,
  linkSetting,
} from '../front-ends/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Database, Tx } from '../storage/database.ts';

/** Creates all three. The caller loads the settings, then the front ends. */
export function createForFrontEnds(deps: {
  database: Database;
  settings: Settings;
  record: (tx: Tx, occurrence: Occurrence) => Promise<void>;
  /** The public URL of the service. */
  issuer: string;
  clock: Clock;
  random: Random;
}) {
  const { database, settings, issuer } = deps;
  const frontEnds = createFrontEnds({
    ...deps,
    store: createFrontEndStore(database),
    onKeyChange: settings.moveFrontEnd,
    onAdded: settings.announce,
  });
  const links = createLinks({
    settings,
    readLinkSetting: (tx) => settings.readIn(tx, linkSetting),
    publicUrl: issuer,
  });
  settings.whenChanged(baseAddressSetting, links.requireAllowed);
  for (const template of settings.definitions.filter(isMessageTemplate)) {
    settings.whenChanged(template, async (tx, words) => requireUnexposed({ ...words }, await links.allowsIn(tx)));
  }
  const brands = createBrands({
    ...deps,
    store: createLogoStore(database),
    standardFrontEnd: DEFAULT_FRONT_END,
  });
  settings.whenChanged(brandSetting, brands.keepLogos);
  return { frontEnds, links, brands };
}

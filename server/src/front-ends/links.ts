// Links in messages: they lead to the pages of the service, or to a front end's own pages at an allowed origin.
import type { Static } from 'typebox';
import { invalidMember } from '../foundation/errors.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Tx } from '../storage/database.ts';
import { DEFAULT_FRONT_END } from './front-ends.ts';
import { baseAddressSetting, linkSetting, signInPageSetting } from './settings.ts';

type Allowed = Static<typeof linkSetting.schema>;

export interface Links {
  /**
   * Returns the link to a page, for the users of a front end; for null, to the page of this service. Its base is never taken
   * from a request.
   * @param page the path of the page, without a slash at the start. Front ends have their own page under the same path.
   * @param members stand in the fragment, which browsers do not send to servers.
   */
  toPage(page: string, frontEnd: string | null, members: Readonly<Record<string, string>>): string;
  /**
   * Returns the address of the page where people sign in to applications of a front end. It is the front end's own only if that was
   * set: many have a base address for links and no sign-in page, and browsers send the cookie of a request to the same site alone.
   */
  signInPage(frontEnd: string): string;
  /** Whether links may lead to this origin. */
  allows(origin: string): boolean;
  /** Returns a function that tells the same, as the transaction sees it. */
  allowsIn(tx: Tx): Promise<(origin: string) => boolean>;
  /** Requires a base address with an allowed origin, or none. @throws AuthError `request.invalid`. */
  requireAllowed(tx: Tx, baseAddress: string): Promise<void>;
}

/**
 * @param deps.readLinkSetting reads the setting as a transaction sees it.
 * @param deps.publicUrl the public URL of the service, without a slash at the end.
 */
export function createLinks(deps: {
  settings: SettingReader;
  readLinkSetting: (tx: Tx) => Promise<Allowed>;
  publicUrl: string;
}): Links {
  const { settings, readLinkSetting, publicUrl } = deps;
  const ownOrigin = new URL(publicUrl).origin;

  const isAllowed = (origin: string, { allowedOrigins }: Allowed) =>
    origin === ownOrigin || allowedOrigins.includes(origin);
  const allows = (origin: string) => isAllowed(origin, settings.read(linkSetting));

  async function allowsIn(tx: Tx) {
    const allowed = await readLinkSetting(tx);
    return (origin: string) => isAllowed(origin, allowed);
  }

  /** Decides at each link: an administrator may have removed the origin since. */
  function findBase(frontEnd: string | null): string {
    if (frontEnd === null) return publicUrl;
    const baseAddress = settings.read(baseAddressSetting, frontEnd);
    return baseAddress !== '' && allows(new URL(baseAddress).origin) ? baseAddress : publicUrl;
  }

  return {
    toPage(page, frontEnd, members) {
      const base = findBase(frontEnd);
      // The pages of this service show the brand of the front end.
      const isBranded = frontEnd !== null && base === publicUrl && frontEnd !== DEFAULT_FRONT_END;
      const all = Object.entries({ ...members, ...(isBranded && { frontEnd }) });
      const fragment = all.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
      return `${base}/${page}#${fragment.join('&')}`;
    },
    signInPage(frontEnd) {
      const base = settings.read(signInPageSetting, frontEnd) ? findBase(frontEnd) : publicUrl;
      return `${base}/login`;
    },
    allows,
    allowsIn,
    async requireAllowed(tx, baseAddress) {
      if (baseAddress === '') return;
      const { origin } = new URL(baseAddress);
      if ((await allowsIn(tx))(origin)) return;
      throw invalidMember('value', `Links may not lead to ${origin}. Add it to the allowed origins of Latchkey.Links.`);
    },
  };
}

// The settings of links: the origins that a link may have, and the base address and sign-in page of a front end.
import { Type } from 'typebox';
import type { ValidationError } from '../foundation/errors.ts';
import { isProperHost } from '../foundation/host-name.ts';
import { isSecureUrl } from '../foundation/secure-url.ts';
import { defineSetting } from '../foundation/setting.ts';

const MAX_LENGTH = 300;
const MAX_ORIGINS = 100;

/** `Latchkey.Links`. */
export const linkSetting = defineSetting({
  name: 'Latchkey.Links',
  scope: 'general',
  category: 'Links',
  label: 'Links in messages',
  description:
    'Where links in messages may lead, besides the pages of this service. A link can set a new password, so allow only your own applications.',
  kind: 'compound',
  order: 345,
  public: false,
  isGuarded: true,
  schema: Type.Object({
    allowedOrigins: Type.Array(Type.String({ minLength: 1, maxLength: MAX_LENGTH }), {
      title: 'Allowed origins',
      description:
        'Origins of your own applications, such as https://app.example.com. The base address of links of each front end must have one of these origins.',
      maxItems: MAX_ORIGINS,
    }),
  }),
  default: { allowedOrigins: [] },
  findProblems: ({ allowedOrigins }) =>
    allowedOrigins.flatMap((text, index) => findProblem(text, `allowedOrigins.${index}`, ({ origin }) => origin)),
});

/** `Latchkey.Links.BaseAddress`, for each front end. */
export const baseAddressSetting = defineSetting({
  name: 'Latchkey.Links.BaseAddress',
  scope: 'frontEnd',
  category: 'Links',
  label: 'Base address of links',
  description:
    'The beginning of links in messages to users of this front end, such as https://app.example.com/account. Its origin must be allowed in the general settings. Empty: links lead to the pages of this service.',
  kind: 'value',
  order: 346,
  public: false,
  isGuarded: true,
  schema: Type.String({ maxLength: MAX_LENGTH }),
  default: '',
  findProblems: (text) => (text === '' ? [] : findProblem(text, 'value', toBaseAddress)),
});

/** `Latchkey.Links.SignIn`, for each front end. */
export const signInPageSetting = defineSetting({
  name: 'Latchkey.Links.SignIn',
  scope: 'frontEnd',
  category: 'Links',
  label: 'Sign-in page for applications',
  description:
    'Applications of this front end send people to its own sign-in page: the path /login below the base address of links. The page must be on the same site as the service, and its origin in LATCHKEY_CORS_ORIGINS. Off: people sign in on the pages of this service.',
  kind: 'value',
  order: 347,
  public: false,
  isGuarded: true,
  schema: Type.Boolean(),
  default: false,
});

/** Returns the address of a URL up to its path, without a slash at the end. */
const toBaseAddress = ({ origin, pathname }: URL): string => `${origin}${pathname}`.replace(/\/+$/, '');

/** Finds the problem of an address that is not exactly what `normalize` makes of it: browsers could read it differently. */
function findProblem(text: string, member: string, normalize: (url: URL) => string): ValidationError[] {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    return [{ message: `"${text}" is not a web address. Write it like https://app.example.com.`, members: [member] }];
  }
  if (!isSecureUrl(url)) {
    const message = `${text} is not encrypted: attackers on the network could take over accounts. Use https://.`;
    return [{ message, members: [member] }];
  }
  if (url.hostname.includes('*')) {
    return [{ message: `${text} has a wildcard. Name each origin.`, members: [member] }];
  }
  if (!isProperHost(url.hostname)) {
    return [{ message: `${text} has no host name that can exist. Check it.`, members: [member] }];
  }
  const normal = normalize(url);
  return text === normal ? [] : [{ message: `Write "${text}" exactly as ${normal}.`, members: [member] }];
}

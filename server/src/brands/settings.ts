// The settings of brands: the name and colour of the application, and what each front end shows instead.
import { type TSchema, Type } from 'typebox';
import type { ValidationError } from '../foundation/errors.ts';
import { isSecureUrl } from '../foundation/secure-url.ts';
import { defineSetting } from '../foundation/setting.ts';

const oneLine = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$';

/** `Latchkey.Application`: what a front end shows if it has no brand of its own. */
export const applicationSetting = defineSetting({
  name: 'Latchkey.Application',
  scope: 'general',
  category: 'Application',
  label: 'Application',
  description:
    'The name of your application, and the colour of the pages of this service. A front end may have a brand of its own.',
  kind: 'compound',
  order: 400,
  public: true,
  // Messages to accounts with permissions show it.
  isGuarded: true,
  schema: Type.Object({
    name: Type.String({
      title: 'Name',
      description: 'Shown on the pages and in messages.',
      minLength: 1,
      maxLength: 60,
      pattern: oneLine,
    }),
    colour: Type.Enum(['blue', 'cyan', 'grape', 'gray', 'green', 'indigo', 'orange', 'pink', 'red', 'teal', 'violet'], {
      title: 'Colour',
      description: 'The colour of buttons and links. Each colour is legible in light and in dark mode.',
      'x-labels': ['Blue', 'Cyan', 'Grape', 'Gray', 'Green', 'Indigo', 'Orange', 'Pink', 'Red', 'Teal', 'Violet'],
    }),
  }),
  default: { name: 'Latchkey', colour: 'blue' },
});

/** Like `oneLine`, without the characters that reverse what follows: a text shows what it says. */
const oneWay = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$';

const MAX_ADDRESS = 300;
const MAX_TEXTS = 20;

const colour = (title: string, description: string) =>
  Type.String({ title, description, maxLength: 7, pattern: '^$|^#[0-9a-fA-F]{6}$' });

const logo = (title: string, description: string) =>
  Type.String({ title, description, maxLength: 68, pattern: '^$|^[0-9a-f]{64}\\.(png|svg)$' });

const address = (title: string, description: string) =>
  Type.String({ title, description, maxLength: MAX_ADDRESS, pattern: oneWay });

/** The members of the setting. Empty: the value of Default UI applies, then that of `Latchkey.Application`. */
const members = {
  name: Type.String({
    title: 'Name',
    description: 'Shown on the sign-in pages and in messages. Empty: the name of the application.',
    maxLength: 60,
    pattern: oneWay,
  }),
  logo: logo('Logo', 'The file name of an uploaded logo. Empty: the logo of Default UI.'),
  logoDark: logo('Logo in dark mode', 'The file name of an uploaded logo. Empty: the same logo as in light mode.'),
  accent: colour('Accent colour', 'The colour of buttons and links, such as #1f5f8b. Pages keep text on it legible.'),
  backgroundLight: colour('Background', 'The colour behind the sign-in form in light mode.'),
  backgroundDark: colour('Background in dark mode', 'The colour behind the sign-in form in dark mode.'),
  terms: address('Terms', 'The web address of the terms of use.'),
  privacy: address('Privacy', 'The web address of the privacy notice.'),
  support: address('Support', 'A web address, or mailto: and an e-mail address.'),
  texts: Type.Array(
    Type.Object({
      language: Type.String({
        title: 'Language',
        description: 'A language tag, such as en or de.',
        maxLength: 35,
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      }),
      title: Type.String({ title: 'Title', description: 'The heading of the form.', maxLength: 80, pattern: oneWay }),
      note: Type.String({ title: 'Note', description: 'Shown below the title.', maxLength: 300, pattern: oneWay }),
    }),
    {
      title: 'Texts',
      description: 'Title and note of the sign-in form, by language. Other languages get the first entry.',
      maxItems: MAX_TEXTS,
    },
  ),
} satisfies Record<string, TSchema>;

/** `Latchkey.Brand`, for each front end. */
export const brandSetting = defineSetting({
  name: 'Latchkey.Brand',
  scope: 'frontEnd',
  category: 'Application',
  label: 'Brand',
  description:
    'What the sign-in pages and messages of this front end show. Edit it on the page “Front ends”, which has a preview.',
  kind: 'compound',
  order: 401,
  public: false,
  // The page of the brand edits it, instead of the settings page.
  schema: Type.Object(members, { 'x-page': 'brand' }),
  default: {
    name: '',
    logo: '',
    logoDark: '',
    accent: '',
    backgroundLight: '',
    backgroundDark: '',
    terms: '',
    privacy: '',
    support: '',
    texts: [],
  },
  findProblems: ({ terms, privacy, support, texts }) => [
    ...findAddressProblems('terms', terms),
    ...findAddressProblems('privacy', privacy),
    ...findAddressProblems('support', support, true),
    ...findRepeatedLanguages(texts),
  ],
});

/** A link of the sign-in page must not run a script or leave the connection open to the network. */
function findAddressProblems(member: string, text: string, allowsMail = false): ValidationError[] {
  if (text === '') return [];
  const url = URL.parse(text);
  // Without slashes, a browser takes the address for a path of the page.
  const isWeb = url !== null && /^https?:\/\//i.test(text) && isSecureUrl(url) && url.username + url.password === '';
  const isMail = allowsMail && /^mailto:[^\s?&#%]+@[^\s?&#%]+$/.test(text);
  if (isWeb || isMail) return [];
  const examples = allowsMail ? 'https://example.com/help or mailto:help@example.com' : 'https://example.com/terms';
  return [{ message: `Write the address of ${member} like ${examples}.`, members: [member] }];
}

function findRepeatedLanguages(texts: readonly { language: string }[]): ValidationError[] {
  const languages = texts.map(({ language }) => language.toLowerCase());
  return languages.flatMap((language, index) =>
    languages.indexOf(language) === index
      ? []
      : [{ message: 'Give each language one entry.', members: [`texts.${index}.language`] }],
  );
}

// Templates: the text of each kind of message, as settings that administrators change.
import { type TUnsafe, Type } from 'typebox';
import type { ValidationError } from '../foundation/errors.ts';
import { defineSetting, type Need, type SettingDefinition } from '../foundation/setting.ts';
import { compact, findExposed, holdSecret } from './secret-places.ts';

/** The placeholders that a template may hold as `{{name}}`, and what replaces them. */
const placeholders = {
  pin: 'the code',
  minutes: 'the minutes for which the code or link is valid',
  link: 'the link',
  code: 'the code in the link, for an address of your own',
  name: 'the name of the account owner',
  username: 'the user name',
  application: 'the name of this application',
  change: 'what was changed, in English',
  left: 'the number of unused recovery codes',
} as const;

export type Placeholder = keyof typeof placeholders;

/** The values of placeholders. */
export type Values = Readonly<Partial<Record<Placeholder, string>>>;

const singleLine = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$';
const severalLines = '^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$';

const byMail: readonly Need[] = [{ means: 'email' }];

const members = {
  sms: Type.String({
    title: 'SMS',
    description: 'The text of the SMS.',
    maxLength: 480,
    pattern: singleLine,
    'x-needs': [{ means: 'sms' }],
  }),
  subject: Type.String({
    title: 'Subject',
    description: 'The subject of the e-mail.',
    maxLength: 200,
    pattern: singleLine,
    'x-needs': byMail,
  }),
  text: Type.String({
    title: 'Text',
    description: 'The e-mail as plain text.',
    maxLength: 5000,
    pattern: severalLines,
    'x-needs': byMail,
    'x-lines': true,
  }),
  html: Type.String({
    title: 'HTML',
    description:
      'The e-mail as HTML. The service escapes the values of placeholders. Empty: the e-mail has plain text only.',
    maxLength: 10_000,
    pattern: severalLines,
    'x-needs': byMail,
    'x-lines': true,
  }),
};

/** The texts of a message, for the means by which it can be sent. */
export type Words = { sms?: string; subject?: string; text?: string; html?: string };

/** The setting with the texts of one kind of message. */
export type MessageTemplate = SettingDefinition<TUnsafe<Words>>;

/**
 * Declares one kind of message. Its texts may hold the `allowed` placeholders. SMS, text and HTML must hold each `needed`
 * one; of several in a list, one of them. The setting's name is `Latchkey.Messages.` and the message's `name`. If a text may
 * hold a secret, a change takes all permissions: it decides where the secret goes.
 */
export function defineMessage(message: {
  name: string;
  label: string;
  description: string;
  order: number;
  allowed: readonly Placeholder[];
  needed: readonly (Placeholder | readonly Placeholder[])[];
  words: Words;
}): MessageTemplate {
  const { name, label, description, order, allowed, needed, words } = message;
  const known = Object.fromEntries(allowed.map((placeholder) => [placeholder, placeholders[placeholder]]));
  return defineSetting({
    name: `Latchkey.Messages.${name}`,
    scope: 'general',
    category: 'Messages',
    label,
    description,
    kind: 'compound',
    order,
    public: false,
    isGuarded: holdSecret(allowed),
    schema: Type.Unsafe<Words>(Type.Object(pickMembers(words), { 'x-placeholders': known })),
    default: words,
    findProblems: (value) => [...findProblems(value, allowed, needed), ...findExposed({ ...value }, () => true)],
  });
}

/** Whether a setting is the texts of one kind of message. */
export const isMessageTemplate = (definition: SettingDefinition): definition is MessageTemplate =>
  'x-placeholders' in definition.schema;

/** A message that tells an account owner about a change. */
export type NoticeTemplate = MessageTemplate & {
  /** The change, in a message about several. The value of the placeholder `change` replaces it. */
  readonly change: string;
  /** Whether the message goes at once, also if another one has just gone. Something else bounds how often it happens. */
  readonly isUrgent: boolean;
};

/** Declares such a message. */
export function defineNotice({
  change,
  isUrgent = false,
  ...message
}: Parameters<typeof defineMessage>[0] & { change: string; isUrgent?: boolean }): NoticeTemplate {
  return { ...defineMessage(message), change, isUrgent };
}

function pickMembers(words: Words) {
  return Object.fromEntries(Object.entries(members).filter(([member]) => member in words));
}

function findProblems(
  words: Words,
  allowed: readonly string[],
  needed: readonly (string | readonly string[])[],
): ValidationError[] {
  const problems: ValidationError[] = [];
  for (const [member, text] of Object.entries(words)) {
    const used = [...text.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, inner = '']) => inner.trim());
    const known = allowed.map((placeholder) => `{{${placeholder}}}`).join(', ');
    for (const unknown of used.filter((inner) => !allowed.includes(inner))) {
      problems.push({ message: `${member} holds {{${unknown}}}, but may hold only ${known}.`, members: [member] });
    }
    if (/\{\{|\}\}/.test(text.replace(/\{\{\s*\w+\s*\}\}/g, ''))) {
      problems.push({ message: `${member} has double braces that hold no placeholder.`, members: [member] });
    }
    if (member === 'subject' || (member === 'html' && text === '')) continue;
    for (const choice of needed.map((inner) => [inner].flat())) {
      if (choice.some((inner) => used.includes(inner))) continue;
      const missing = choice.map((inner) => `{{${inner}}}`).join(' or ');
      problems.push({ message: `${member} must hold ${missing}.`, members: [member] });
    }
  }
  return problems;
}

/**
 * Replaces the placeholders of a template. A placeholder without value becomes empty. Inside an address of the template,
 * a value is percent-encoded, so that a user name adds no parameter.
 */
export function fillIn(template: string, values: Values, quote: (text: string) => string = (text) => text): string {
  const text = compact(template);
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: Placeholder, offset: number) => {
    const value = values[name] ?? '';
    return quote(isInAddress(text, offset) ? encodeURIComponent(value) : value);
  });
}

/** Whether a position is behind the scheme of an address, such as https://: no white space, quotation mark or angle bracket between. */
function isInAddress(text: string, offset: number): boolean {
  const word =
    text
      .slice(0, offset)
      .split(/[\s"'<>]/)
      .at(-1) ?? '';
  return word.includes('://');
}

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

// The schemas that calls are described with: texts, names, secrets, ids and lists.
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { EMAIL_PATTERN, MAX_EMAIL_LENGTH } from '../foundation/email-address.ts';

type TextOptions = { minLength?: number; maxLength: number; description?: string };

/**
 * One line of text without control characters, which PostgreSQL, terminals and mail headers mishandle. Like all texts of
 * an input it arrives without invisible marks and surrounding white space, see `checkInput`.
 */
export const Text = (options: TextOptions & { 'x-text'?: 'name' | 'exact' }) =>
  Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$', ...options });

/** A name or address that is compared with others. It arrives without any ignorable mark. */
export const Name = (options: TextOptions) => Text({ ...options, 'x-text': 'name' });

/** What a machine has issued, exactly as sent. */
export const ExactText = (options: TextOptions) => Text({ ...options, 'x-text': 'exact' });

/** A password or other secret: accepted exactly as typed, from the body only, and never logged. */
export const Secret = (options: { maxLength: number }) => Type.String({ minLength: 1, 'x-secret': true, ...options });

/** Bytes in base64url without padding (RFC 4648, 5). */
export const Base64Url = (options: { maxLength: number }) =>
  Type.String({ minLength: 1, pattern: '^[A-Za-z0-9_-]*$', 'x-text': 'exact', ...options });

export const EmailAddress = Type.String({ maxLength: MAX_EMAIL_LENGTH, pattern: EMAIL_PATTERN, 'x-text': 'name' });

/** An e-mail address, or '' for none. */
export const EmailAddressOrNone = Type.String({
  maxLength: MAX_EMAIL_LENGTH,
  pattern: `^$|${EMAIL_PATTERN}`,
  'x-text': 'name',
});

/** A mobile number as typed. */
export const MobileNumber = ({ minLength = 0 } = {}) => Name({ minLength, maxLength: 40 });

/** A user name of visible characters. Letters of different scripts may still look alike. */
export const UserName = ({ minLength = 1 } = {}) =>
  Type.String({
    minLength,
    maxLength: 256,
    pattern: '^[^\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800]*$',
    'x-text': 'name',
  });

/** The name of a role, of visible characters and spaces. */
export const RoleName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\p{C}\\p{Zl}\\p{Zp}\\u2800]*$',
  'x-text': 'name',
});

/** An object whose `title` is the name of its schema in the OpenAPI document. */
export const NamedObject = <Members extends TProperties>(title: string, members: Members) =>
  Type.Object(members, { title });

/** A value that may be null. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const AccountId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const Uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' });

/** A pin that was requested: its operation id, and the address that it goes to. */
export const SentPin = NamedObject('SentPin', { operationId: Type.String(), sentTo: Type.String() });
export type SentPin = Static<typeof SentPin>;

/** Query members of a paged list. */
export const paging = {
  skipCount: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  maxResultCount: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
};

/** Returns the page that a query asks for; ten entries by default. */
export function toPage({ skipCount = 0, maxResultCount = 10 }: { skipCount?: number; maxResultCount?: number }) {
  return { skip: skipCount, take: maxResultCount };
}

/** Names a list after its entries, if they have a name. */
function titleOf(schema: TSchema, suffix: string) {
  return 'title' in schema ? { title: `${schema.title}${suffix}` } : {};
}

/** A list, and a page of a list. */
export const Items = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({ items: Type.Array(schema) }, titleOf(schema, 'List'));
export const PagedItems = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({ items: Type.Array(schema), totalCount: Type.Integer() }, titleOf(schema, 'Page'));

// JSON documents: the items of the arrays in which systems export users, one after the other, however large the file is.
import { type ParsedTokenInfo, Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { type Entry, MAX_CHARACTERS, MAX_OPEN_CHARACTERS, type Problem, type Values } from './entry.ts';
import { CutOff, REPLACEMENT } from './source.ts';
import { MAX_DEPTH } from './values.ts';

/**
 * The arrays of a document that hold entries: those of Firebase and Keycloak, Cognito, Microsoft Graph, phpMyAdmin, and the tables of
 * better-auth. A document that has none of them is an entry itself.
 */
const containers = ['users', 'Users', 'value', 'data', 'user', 'account', 'twoFactor', 'passkey'];

/** Those of an item of the outermost array, or of a member of the outermost object: realms, and tables of phpMyAdmin. */
const innerContainers = ['users', 'data'];

const paths = ['$.*', ...containers.map((name) => `$.${name}.*`), ...innerContainers.map((name) => `$.*.${name}.*`)];

/** Yields the items of one document, or of several that follow each other. */
export async function* readDocuments(text: AsyncIterable<string>): AsyncGenerator<Entry> {
  const reader = createReader();
  try {
    for await (const chunk of text) {
      const isReadable = reader.write(chunk);
      yield* reader.take();
      if (!isReadable) return;
    }
    reader.end();
  } catch (error) {
    if (!(error instanceof CutOff)) throw error;
    reader.fail('cutOff');
  }
  yield* reader.take();
}

/** Reads the pieces of a text, and collects its entries until they are taken. */
function createReader() {
  const tracker = createTracker();
  const tokenizer = new Tokenizer({ separator: '' });
  const parser = new TokenParser({ paths, separator: '' });
  let found: Entry[] = [];
  /** Bytes up to the present token, and up to the last value that was taken out of the document. */
  let [position, taken] = [0, 0];
  /** The numbers of the next item, and of the present document. */
  let [next, documents] = [1, 1];
  let document = createDocument();

  function add(
    values: unknown,
    place: { number: number; container: string; isFrame?: true },
    length = position - taken,
  ) {
    const problem = tracker.takeProblem() ?? findProblem(values, length);
    const entry = { kind: 'item', ...place } as const;
    found.push(problem ? { ...entry, problem } : { ...entry, values: toValues(values) });
    taken = position;
  }

  parser.onValue = ({ value, key, parent, stack }) => {
    if (stack.length === 1 && !Array.isArray(parent)) {
      // Large members beside the entries, such as the clients of a realm, are not kept.
      if (!document.isFrame || typeof value !== 'object') {
        document.members.set(String(key), value);
        document.length += position - taken;
      }
      if (parent !== undefined && parent !== null) delete parent[String(key)];
      taken = position;
      return;
    }
    if (!Array.isArray(parent)) return;
    const number = Number(key) + 1;
    const isInner = stack.length > 1;
    const container = isInner ? String(stack.at(-1)?.key) : '';
    add(value, { number, container, ...(!isInner && document.isFrame && { isFrame: true }) });
    if (!isInner) document.isFrame = false;
    next = number + 1;
    parent.length = 0;
  };

  tokenizer.onToken = (token) => {
    position = token.offset;
    const { depth, opened } = tracker.note(token);
    if (depth > MAX_DEPTH) throw new Error('The document is nested too deeply.');
    if (opened !== undefined && isContainerAt(opened, depth)) {
      document.isFrame = true;
      next = 1;
    }
    parser.write(token);
    if (depth > 0) return;
    const { members, isFrame } = document;
    const place = { number: documents, container: '' };
    if (token.token === TokenType.RIGHT_BRACE) {
      const values = [...members].filter(([, value]) => !isFrame || typeof value !== 'object');
      add(Object.fromEntries(values), { ...place, ...(isFrame && { isFrame }) }, document.length);
    } else if (token.token !== TokenType.RIGHT_BRACKET) add(undefined, place);
    document = createDocument();
    documents += 1;
  };

  const fail = (why: 'cutOff' | 'unreadable') => {
    found.push({ kind: 'item', number: next, container: '', problem: { why } });
  };
  let written = 0;
  return {
    fail,
    /** @returns whether what follows can be read. */
    write(chunk: string): boolean {
      written += chunk.length;
      try {
        tokenizer.write(chunk);
        if (written - taken + document.length <= MAX_OPEN_CHARACTERS) return true;
      } catch {
        // The parser has told nothing that the place of the fault does not tell.
      }
      fail('unreadable');
      return false;
    },
    end() {
      try {
        tokenizer.end();
        if (tracker.depth() === 0) return;
      } catch {
        // A token does not end.
      }
      fail('cutOff');
    },
    take() {
      const entries = found;
      found = [];
      return entries;
    },
  };
}

/**
 * A document that is being read: the members of its outermost object, how many characters they have, and whether it stands around
 * arrays of entries.
 */
const createDocument = () => ({ members: new Map<string, unknown>(), length: 0, isFrame: false });

const isContainerAt = (name: string, depth: number) =>
  depth === 2 ? containers.includes(name) : depth === 3 && innerContainers.includes(name);

/** Whether a document stands around arrays of entries. */
export const isFrame = (document: Values): boolean =>
  containers.some((name) => {
    const items = document[name];
    return Array.isArray(items) && (items.length === 0 || items.some(isObject));
  });

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toValues = (value: unknown): Values => (isObject(value) ? value : {});

function findProblem(values: unknown, length: number): Problem | undefined {
  if (length > MAX_CHARACTERS) return { why: 'tooLong' };
  return isObject(values) ? undefined : { why: 'notObject' };
}

/** Follows the tokens of a document: how deep they stand, and what is wrong with the entry that they belong to. */
function createTracker() {
  const open: Set<string>[] = [];
  let repeated = new Set<string>();
  let isDamaged = false;
  let text = '';
  let name: string | undefined;

  return {
    depth: () => open.length,
    /** @returns the depth after the token, and the name of the array that it opens. */
    note({ token, value }: ParsedTokenInfo): { depth: number; opened?: string } {
      if (token === TokenType.STRING) {
        text = String(value);
        isDamaged ||= text.includes(REPLACEMENT);
      } else if (token === TokenType.COLON) {
        if (open.at(-1)?.has(text)) repeated.add(text);
        open.at(-1)?.add(text);
        name = text;
      } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) open.pop();
      else if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
        open.push(new Set());
        const opened = token === TokenType.LEFT_BRACKET ? name : undefined;
        name = undefined;
        return { depth: open.length, ...(opened !== undefined && { opened }) };
      }
      if (token !== TokenType.COLON) name = undefined;
      return { depth: open.length };
    },
    takeProblem(): Problem | undefined {
      const names = [...repeated];
      const damaged = isDamaged;
      repeated = new Set();
      isDamaged = false;
      if (damaged) return { why: 'damaged' };
      return names.length > 0 ? { why: 'repeated', names } : undefined;
    },
  };
}

// A configuration file: YAML of bounded size and depth, each of whose values is known by its line and column.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Document, isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { readFileState } from '../foundation/file-state.ts';
import { isObject, isRecord } from '../foundation/object.ts';
import { ConfigurationError, type Path, toText } from './problem.ts';

/** In bytes. */
const MAX_SIZE = 1_048_576;

/** The most levels of members. */
const MAX_DEPTH = 32;

/** How often the aliases of a file may repeat what its anchors name, as `yaml` counts. */
const MAX_ALIASES = 100;

/** A file that has been read. */
export interface ConfigurationFile {
  /** The folder of the file, without links of the file itself. */
  readonly folder: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** Returns the error that concerns the value at this path, or the nearest one around it. */
  refuse(path: Path, problem: string): ConfigurationError;
}

/** Reads a file. @throws ConfigurationError */
export function readConfigurationFile(path: string): ConfigurationFile {
  return parseConfiguration(readText(path), path);
}

function readText(path: string): string {
  const stats = readFileState(path);
  if (stats === 'hidden') throw new ConfigurationError(`${path} cannot be read by this user.`);
  if (!stats) throw new ConfigurationError(`${path} does not exist.`);
  if (!stats.isFile()) throw new ConfigurationError(`${path} is no file.`);
  if (stats.size > MAX_SIZE) throw new ConfigurationError(`${path} is larger than 1 MiB. Is it another file?`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const isText = !(error instanceof TypeError);
    throw new ConfigurationError(isText ? `${path} cannot be read by this user.` : `${path} is no text in UTF-8.`);
  }
}

/** Parses the text of a file. @param name the file, as errors name it. @throws ConfigurationError */
export function parseConfiguration(text: string, name: string): ConfigurationFile {
  const lines = new LineCounter();
  const at = (offset: number, problem: string) => {
    const { line, col } = lines.linePos(offset);
    return new ConfigurationError(`${name}:${line}:${col}: ${problem}`);
  };
  const document = parse(text, lines, name);
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) {
    // `yaml` may give the end of what comes before.
    const start = text.slice(fault.pos[0]).search(/\S|$/) + fault.pos[0];
    throw at(start, `${fault.message.split('\n')[0]?.replace(/\.?$/, '')}.`);
  }
  const content = toValue(document, name);
  const refuse = (path: Path, problem: string) =>
    at(findOffset(document, path), path.length === 0 ? problem : `${toText(path)}: ${problem}`);
  if (content === null) return { folder: dirname(name), content: {}, refuse };
  if (!isRecord(content)) throw refuse([], 'Write members such as "settings:" and "roles:".');
  if (isTooDeep(content, MAX_DEPTH)) throw refuse([], `It has more than ${MAX_DEPTH} levels, or contains itself.`);
  return { folder: dirname(name), content, refuse };
}

function parse(text: string, lineCounter: LineCounter, name: string): Document.Parsed {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true, resolveKnownTags: false });
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigurationError(`${name} is nested too deeply.`);
    throw error;
  }
}

function toValue(document: Document.Parsed, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    // What `yaml` throws for aliases without an anchor, and for too many of them.
    if (error instanceof ReferenceError)
      throw new ConfigurationError(`${name}: an alias is unknown, or the aliases repeat too much. Write it out.`);
    throw error;
  }
}

function isTooDeep(value: unknown, levels: number): boolean {
  if (!isObject(value)) return false;
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1));
}

/** Returns where the name of the last member of the path stands that the file has. */
function findOffset(document: Document.Parsed, path: Path): number {
  let offset = 0;
  let node: unknown = document.contents;
  for (const member of path) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => (isScalar(key) ? String(key.value) : undefined) === member)
      : undefined;
    const next = isSeq(node) ? node.items[Number(member)] : pair?.key;
    if (!isNode(next)) break;
    offset = next.range?.[0] ?? offset;
    node = isPair(pair) ? pair.value : next;
  }
  return offset;
}

// The registry's signatures of the installed packages, and their attestations, if npm can reach both.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pinnedNode, root, say } from '../layout.mjs';
import { npm } from '../npm.mjs';

type Named = { name: string; version: string };

/** What `npm audit signatures --json --include-attestations` prints. npm lists as missing only what a registry with keys did not sign. */
export type Report = { error?: { summary: string }; invalid?: Named[]; missing?: Named[]; verified?: Named[] };

/** `left out` is no failure: the check also runs without a network, and with a registry that passes no signatures on. */
export type Outcome = { kind: 'verified' | 'wrong' | 'left out'; line: string };

/** Returns what a report means. */
export function judge({ error, invalid = [], missing = [], verified = [] }: Report): Outcome {
  if (invalid.length > 0) return { kind: 'wrong', line: `wrong signatures: ${list(invalid)}` };
  if (error) return { kind: 'left out', line: `left out: ${error.summary.split('\n')[0]}` };
  if (missing.length === 0) return { kind: 'verified', line: 'all signatures are right' };
  // A registry that signs also passes attestations on. Without any, it is a mirror that drops both.
  if (verified.length === 0) return { kind: 'left out', line: 'left out: the registry passes no signatures on' };
  return { kind: 'wrong', line: `no signature, although the registry signs: ${list(missing)}` };
}

/**
 * Asks npm. The signatures of one lock file do not change, so npm is asked only until they were all right.
 * @param folder the checkout
 */
async function checkSignatures(folder: string): Promise<Outcome> {
  const record = join(folder, 'node_modules/.cache/verified-signatures');
  const locked = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(record) && readFileSync(record, 'utf8') === locked) return judge({});
  const options = [
    '--json',
    '--include-attestations',
    '--loglevel=silent',
    '--fetch-retries=0',
    '--fetch-timeout=10000',
  ];
  const { output } = await npm(pinnedNode(folder), ['audit', 'signatures', ...options], folder);
  const outcome = judge(parse(output));
  if (outcome.kind === 'verified') {
    mkdirSync(dirname(record), { recursive: true });
    writeFileSync(record, locked);
  }
  return outcome;
}

function parse(output: string): Report {
  try {
    return JSON.parse(output);
  } catch {
    return { error: { summary: `npm answers ${JSON.stringify(output.slice(0, 100))}` } };
  }
}

function list(packages: readonly Named[]): string {
  return packages.map(({ name, version }) => `${name}@${version}`).join(', ');
}

if (import.meta.main) {
  const { kind, line } = await checkSignatures(root);
  say(line);
  process.exitCode = kind === 'wrong' ? 1 : 0;
}

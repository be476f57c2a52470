// The licences of the packages whose code is in the package, with their texts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../layout.mjs';
import { type Package, readPackage } from './packages.ts';

/** Licences (SPDX ids) that let anyone use and distribute the code if they keep its notices. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
];

const LICENSE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/**
 * Returns the page THIRD-PARTY-LICENSES.md: a table of the packages, then each text with the packages that it covers.
 * @throws Error if a package has no licence, no text of it, or a licence that is not permissive
 */
export function describeLicenses(folders: readonly string[]): string {
  const packages = new Map(folders.map(readPackage).map((one) => [`${one.name} ${one.version}`, one]));
  const titles = [...packages.keys()].sort();
  const covered = new Map<string, string[]>();
  for (const title of titles) {
    const text = licenseText(packages.get(title) as Package);
    covered.set(text, [...(covered.get(text) ?? []), title]);
  }
  const rows = titles.map((title) => `| ${title.replace(' ', ' | ')} | ${packages.get(title)?.license} |`);
  const texts = [...covered].map(([text, names]) => `## ${names.join(', ')}\n\n~~~text\n${text}\n~~~\n`);
  return `${introduction}\n${rows.join('\n')}\n\n${texts.join('\n')}`;
}

const introduction = `# Third-party licences

Latchkey's package contains code of the packages in this table. Their licences follow it.

| package | version | licence (SPDX) |
|---|---|---|`;

function licenseText({ folder, name, version, license }: Package): string {
  if (license === undefined) throw new Error(`${name} ${version} has no licence: it cannot be in the package.`);
  // "MIT AND ISC": parts of the package have one licence each, and all of them apply.
  if (!license.split(' AND ').every((one) => permissive.includes(one))) {
    throw new Error(
      `${name} ${version} has the licence ${license}. The package may contain: ${permissive.join(', ')}.`,
    );
  }
  const files = readdirSync(join(root, folder)).filter((file) => LICENSE_FILE.test(file));
  const texts = files.sort().map((file) => readFileSync(join(root, folder, file), 'utf8'));
  if (texts.length === 0) texts.push(standardText(folder, name, license));
  return texts.map((text) => text.replaceAll('\r\n', '\n').trim()).join('\n\n');
}

/** Returns the text of the licence that a package declares in its manifest without bringing the text. */
function standardText(folder: string, name: string, license: string): string {
  const { author } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const holder = typeof author === 'string' ? author : author?.name;
  if (license !== 'MIT' || !holder) throw new Error(`${name} brings no text of its licence ${license}, and no author.`);
  const own = readFileSync(join(root, 'LICENSE'), 'utf8');
  const note = `${name} brings no text of its licence. Its manifest names the licence ${license} and the author.`;
  return `${note}\n\n${own.replace(/^Copyright .*$/m, `Copyright (c) ${holder}`)}`;
}

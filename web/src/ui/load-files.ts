// Loads the files of a part before the part is imported: what a browser has failed to import once, it never imports again.
import { at } from '../api/base-path.ts';

/** The files that are there, or on their way, by address. */
const files = new Map<string, Promise<unknown>>();

/** Loads the file once; one that failed, again. */
function load(address: string): Promise<unknown> {
  const known = files.get(address);
  if (known) return known;
  const file = address.endsWith('.css') ? loadStyles(address) : loadScript(address);
  files.set(address, file);
  file.catch(() => files.delete(address));
  return file;
}

/** Brings a script into the cache of the browser, from which it is imported. */
async function loadScript(address: string): Promise<void> {
  if (document.querySelector(`script[src="${address}"]`)) return;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} could not be loaded.`);
  await response.arrayBuffer();
}

function loadStyles(address: string): Promise<void> {
  if (document.querySelector(`link[rel=stylesheet][href="${address}"]`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    const fail = () => {
      link.remove();
      reject(new Error(`${address} could not be loaded.`));
    };
    document.head.append(Object.assign(link, { rel: 'stylesheet', href: address, onload: resolve, onerror: fail }));
  });
}

/**
 * Imports a part after its files. The build puts it around each `import()`.
 * @param files the paths of the script of the part and of what it needs.
 */
export async function importPart<Part>(importIt: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  await Promise.all(files.map((file) => load(at(file))));
  return importIt();
}

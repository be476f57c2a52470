// The error of a configuration file, and the place in the file that it concerns.

/** A file is wrong, or what it says cannot be applied. `message` is one line that names the place and says what to write. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

/** The members from the root of a file to a value. */
export type Path = readonly string[];

/** Returns a path as people write it. A member that has other marks than names have is in quotes. */
export const toText = (path: Path): string =>
  path.map((member) => (/^[\w.-]+$/.test(member) ? member : JSON.stringify(member))).join('.');

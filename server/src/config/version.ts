// The version of the program and the day of its release, from its package.json.
import manifest from '../../package.json' with { type: 'json' };

export const VERSION = manifest.version;

/** The day of the release, in ISO 8601. */
export const RELEASED_AT = manifest.releaseDate;

// The version of the program, from its package.json.

import manifest from '../../package.json' with { type: 'json' };

export const VERSION = manifest.version;

/** The day of the release, in ISO 8601. */
export const RELEASED_AT = manifest.releaseDate;

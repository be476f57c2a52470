// The version of the program, from its package.json.
import manifest from '../../package.json' with { type: 'json' };

export const VERSION = manifest.version;

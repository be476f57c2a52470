// The version of the program, as its package says.
import manifest from '../../package.json' with { type: 'json' };

export const VERSION = manifest.version;

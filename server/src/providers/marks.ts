// The marks of the providers' makers, for the buttons of the sign-in page.
import type { ProviderType } from './external-provider.ts';

const marks: Partial<Record<ProviderType, string>> = {};

/** Returns the text of an SVG file, or `undefined` where the maker's terms do not let others ship its mark. */
export const markOf = (type: ProviderType): string | undefined => marks[type];

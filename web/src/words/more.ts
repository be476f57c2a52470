// The texts of the own account, of users, and of the short lists. `all.ts` has the rest.
import { more } from './en-more.ts';
import { addWords } from './index.ts';

export { translate } from './index.ts';

export const words = addWords(more);

// All texts of the application, for what loads after the first view.
import { administration } from './en-administration.ts';
import { more } from './en-more.ts';
import { addWords } from './index.ts';

export { languages, nameLanguage, translate } from './index.ts';

export const words = addWords({ ...more, ...administration });

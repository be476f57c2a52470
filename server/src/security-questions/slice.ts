// What security questions declare.
import { securityQuestionSetting } from './settings.ts';

export const securityQuestionDefinitions = { settings: [securityQuestionSetting] };

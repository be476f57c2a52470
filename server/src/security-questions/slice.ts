// The setting of security questions.
import { securityQuestionSetting } from './settings.ts';

export const securityQuestionDefinitions = { settings: [securityQuestionSetting] };

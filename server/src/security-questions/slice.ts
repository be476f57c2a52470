// The setting of security questions.
import { securityQuestionSetting } from './settings.ts';

export const securityQuestionsSlice = {
  declarations: { settings: [securityQuestionSetting] },
};

// Security questions: a list that people choose from, and their answers, which are stored like passwords.
export { createSecurityAnswers, type SecurityAnswers } from './answers.ts';
export { findAnswerProblems, normalizeAnswer, type SecurityQuestion, type TypedAnswer } from './question.ts';
export { lacksQuestions, securityQuestionSetting } from './settings.ts';
export { securityQuestionsSlice } from './slice.ts';
export type { AnswerHashes } from './store.sql.ts';
export { createSecurityAnswerStore } from './store.sql.ts';

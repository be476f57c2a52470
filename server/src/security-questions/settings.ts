// The setting with the list of security questions that people choose from.
import { Type } from 'typebox';
import { defineSetting } from '../foundation/setting.ts';
import { findListProblems, type SecurityQuestion } from './question.ts';

/**
 * The default questions ask for experiences that most people remember and would describe in the same few words years
 * later. No profile, register or family tree contains the answers (OWASP, Choosing and Using Security Questions).
 */
const seed: SecurityQuestion[] = [
  { id: '91bd94ba-f03a-4559-b714-fe3282272df2', question: 'What was the name of your first stuffed toy?' },
  { id: '4e26d7f4-425d-4c5e-836c-aa311775c571', question: 'What did you most want to become when you were a child?' },
  { id: 'ddc37e06-beda-483f-995a-f64e3d3d3fd2', question: 'What is the surname of the teacher you liked least?' },
  { id: '3b7c6dd6-ca6f-48f7-99f1-fb53137275c7', question: 'What was the first dish you learned to cook?' },
  { id: '6313fbf1-f820-4fd4-be85-737172868c45', question: 'What is the first film you saw in a cinema?' },
  {
    id: '6bcb12fd-acbe-4c8a-aacf-bb8dfa5715ae',
    question: 'In which street did your best friend live when you were ten?',
  },
  { id: '88f226f4-b8ab-4169-b225-7bfa8b2bd888', question: 'Where did you first travel to without your family?' },
  {
    id: 'a22ffa92-13cf-4cfe-82f0-a44f43574952',
    question: 'What is the first name of the first person you danced with?',
  },
  { id: '23c84d19-77c7-4df9-90e4-0a6ee0e2f69b', question: 'What was the first thing you saved up for to buy?' },
  { id: 'fde78be3-e3a8-45a7-8cbf-15354f50f403', question: 'Which book did you first read more than once?' },
];

/** `Latchkey.SecurityQuestions`. */
export const securityQuestionSetting = defineSetting({
  name: 'Latchkey.SecurityQuestions',
  scope: 'general',
  category: 'Security',
  label: 'Security questions',
  description:
    'Questions that users can choose from. The answers reset a forgotten password. Answers to a question that you remove no longer count. If you change the meaning of a question, remove it and add a new one.',
  kind: 'list',
  order: 30,
  public: false,
  schema: Type.Array(
    Type.Object({
      id: Type.String({
        title: 'Id',
        description: 'A UUID in lower case. Each question has its own.',
        minLength: 36,
        maxLength: 36,
        pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
      }),
      question: Type.String({
        title: 'Question',
        description: 'The question as users see it, in one line.',
        minLength: 1,
        maxLength: 200,
        pattern: '^[^\\u0000-\\u001f\\u007f\\u2028\\u2029]*$',
      }),
    }),
    {
      minItems: 1,
      maxItems: 50,
      'x-needs': [{ setting: 'Shesha.Security', member: 'useResetPasswordViaSecurityQuestions', is: true }],
    },
  ),
  default: seed,
  findProblems: findListProblems,
});

/**
 * Returns whether a password reset asks more questions than the list has. No account can have answered enough of them, so the
 * service does not offer this way to reset a password.
 */
export function lacksQuestions(
  {
    useResetPasswordViaSecurityQuestions: isOn,
    resetPasswordViaSecurityQuestionsNumQuestionsAllowed: asked,
  }: {
    readonly useResetPasswordViaSecurityQuestions: boolean;
    readonly resetPasswordViaSecurityQuestionsNumQuestionsAllowed: number;
  },
  questions: readonly unknown[],
): boolean {
  return isOn && questions.length < asked;
}

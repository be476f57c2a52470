// The pages of signing in to applications.
export { AnswerApplication } from './answer-application.tsx';
export { ApplicationSignIn } from './application-request.tsx';
export { DevicePage } from './device-page.tsx';
export { SignOutPage } from './sign-out-page.tsx';

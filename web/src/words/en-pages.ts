// The texts of the sign-in pages in English, and those that all pages share. These pages load no others.
import type { Reason } from 'latchkey-sdk';
import { factors } from './en-factors.ts';
import { legal, locked } from './en-sign-in.ts';

/** Translations of the service's reasons. English shows the service's own text, where it has the words of the pages. */
const reasons: Readonly<{ [Name in Reason | 'network']?: string }> = {
  // A code is what a person types. The API calls it a pin.
  'pin.invalid': 'This code is wrong, or can no longer be used. Please check it, or request a new one.',
  'factor.invalid': 'This code or passkey is wrong. Please try again.',
};

/** Translations of what the service says beside a reason, likewise. */
const details: Readonly<Record<string, string | undefined>> = {};

/** Translations of the service's validation errors. `de-service.ts` says what stands for a field, a number and so on. */
const faults: Readonly<Record<string, string | undefined>> = {
  '… must not have more than # characters.': 'Use at most # characters.',
  '… has characters or a form that is not accepted.': 'This has characters or a form that is not accepted.',
  '… is required.': 'Please fill this in.',
  '… must match pattern "…".': 'This has characters or a form that is not accepted.',
  '… must not have fewer than # characters.': 'Use at least # characters.',
};

export const pages = {
  service: { reasons, details, faults },
  /** The browser of a session or passkey. */
  browser: {
    unknown: 'Unknown browser',
    on: (browser: string, system: string) => `${browser} on ${system}`,
  },
  common: {
    cancel: 'Cancel',
    close: 'Close',
    retry: 'Try again',
    back: 'Back',
    continue: 'Continue',
    loading: 'Loading …',
    code: 'Code',
    language: 'Language',
    required: 'Please fill this in.',
    wait: (time: string) => `You can try again in ${time}.`,
    unreachable: 'The service cannot be reached. Please check your connection, then try again.',
    recovers: 'This loads by itself when the service answers again.',
    partMissing: 'A part of this page could not be loaded. Please try again, or reload the page.',
    unforeseen: 'The page has failed. Please try again, or reload the page.',
    labelled: (label: string, text: string) => `${label}: ${text}`,
    showPassword: 'Show or hide the password',
    traceId: (id: string) => `Trace id: ${id}`,
  },
  notFound: {
    title: 'Page not found',
    text: 'There is no page at this address.',
  },
  signIn: {
    title: 'Sign in',
    name: 'User name or e-mail address',
    password: 'Password',
    stay: 'Stay signed in',
    submit: 'Sign in',
    withPin: 'Sign in with a code',
    lastUsed: 'Last used',
    forgot: 'Forgot your password?',
    register: 'Create an account',
    or: 'or',
    ended: {
      signedOff: 'You are signed out.',
      idle: 'You were signed out because you were not active for a while.',
      ended: 'Your session has ended. Please sign in again.',
      reset: 'Your password was set. Please sign in with it.',
      registered: 'Your account was created. Please sign in.',
      expired: 'The sign-in took too long. Please sign in again.',
    },
    blocked: {
      title: 'Your browser blocks storage',
      reason:
        'You cannot sign in, because your browser stores nothing for this site. Allow cookies and site data for it, then try again.',
    },
  },
  factors,
  legal,
  locked,
  pin: {
    title: 'Sign in with a code',
    check: 'Check your messages',
    name: 'User name, e-mail address or mobile number',
    request: 'Send the code',
    sent: 'If there is an account with a verified number or address, a code is on its way. If none arrives, send a new one.',
    code: 'Code',
    digits: (count: number) => `The code is checked as soon as you have typed all ${count} digits.`,
    letters: (count: number) => `The code is checked as soon as you have typed all ${count} letters and digits.`,
    submit: 'Sign in',
    resend: 'Send a new code',
    resendIn: (time: string) => `Send a new code in ${time}`,
    resent: 'A new message is on its way. The previous one is no longer valid.',
    otherName: 'Use another name',
    withPassword: 'Sign in with a password',
  },
  external: {
    continueWith: (name: string) => `Continue with ${name}`,
    title: (name: string) => `Sign in with ${name}`,
    checking: 'Signing you in …',
    denied: (name: string) => `${name} refused the sign-in, or you cancelled it. You are not signed in.`,
    deniedAgain: (name: string) => `${name} refused the sign-in, or you cancelled it. Please sign in again.`,
    failed: (name: string, error: string) =>
      `${name} reports the error ${error}. Please begin again. If it happens again, tell an administrator.`,
    noProof: (name: string) => `The response of ${name} is not valid. Please begin again.`,
    nothing: 'This page was already used, or was opened by mistake. Please begin again.',
    waiting: 'Your account was created. An administrator must activate it first. Please sign in again later.',
    backToAccount: 'Back to my account',
    link: {
      title: (name: string) => `Link ${name}`,
      text: (name: string, account: string) =>
        `After this, your sign-in at ${name} opens your account ${account} without its password. Enter the password to confirm.`,
      submit: 'Link it',
      denied: (name: string) => `${name} refused the sign-in, or you cancelled it. Nothing was linked.`,
      signedOut: 'You are no longer signed in. Sign in, then link it again.',
    },
  },
  change: {
    title: 'Choose a new password',
    reason: 'You must change your password before you continue.',
    current: 'Current password',
    next: 'New password',
    repeat: 'Repeat the new password',
    differs: 'Type the same password twice.',
    submit: 'Change the password',
    done: 'Your password was changed.',
    rules: {
      title: 'The password needs',
      length: (count: number) => `at least ${count} characters`,
      digit: 'a digit',
      lower: 'a lower-case letter',
      upper: 'an upper-case letter',
      special: 'a character that is neither letter nor digit',
      met: 'met',
      notMet: 'not met yet',
      allMet: 'The password meets all of these rules.',
      missing: (list: string) => `The password still needs ${list}.`,
    },
  },
  forgot: {
    title: 'Forgotten password',
    checkMail: 'Check your e-mail',
    checkPhone: 'Check your phone',
    name: 'User name or e-mail address',
    choose: 'How do you want to verify that it is you?',
    none: 'Password reset is turned off. Please ask an administrator.',
    methods: {
      link: (to: string) => `Send a link by e-mail to ${to}`,
      sms: (to: string) => `Send a code by SMS to ${to}`,
      questions: 'Answer security questions',
    },
    linkSent:
      'If there is an account, an e-mail is on its way. Open its link, or type its code here. If none arrives, send a new one.',
    smsSent: 'If there is an account, an SMS is on its way. Type its code here. If none arrives, send a new one.',
    code: 'Code',
    oneTimePassword: 'Code',
    check: 'Check',
    questions: 'Answer all of these questions.',
    wrong: 'This is wrong, or can no longer be used. Please check it, wait some minutes, or begin again.',
    again: 'Begin again',
    backToSignIn: 'Back to sign-in',
  },
  reset: {
    title: 'Set your password',
    ready: (name: string) => `Continue to set the password of ${name}. The link works once.`,
    empty: 'This link is incomplete. Open the link in the e-mail again, or request a new one.',
    bad: 'This link is no longer valid. Links work once, and only for a short time.',
    begin: 'Request a new link',
    submit: 'Set the password',
  },
  register: {
    title: 'Create an account',
    off: 'Registration is turned off. Please ask an administrator.',
    email: 'E-mail address',
    emailReason: 'We send a code to it to verify that it is yours.',
    mobile: 'Mobile number',
    mobileReason:
      'With its country code, such as +27 82 123 4567. We send a code to it to verify that it is yours. Whoever takes over your number can read its codes: add a passkey or an authenticator app later.',
    send: 'Send the code',
    sent: (to: string) => `A code is on its way to ${to}.`,
    pin: 'Code',
    verify: 'Verify',
    wrongPin: 'This code is wrong, or can no longer be used.',
    ready: 'Continue to verify your address. The link works once.',
    bad: 'This link is no longer valid. Links work once, and only for a short time.',
    proven: (to: string) => `${to} is verified.`,
    provenByLink: 'Your address is verified. Please type it again.',
    userName: 'User name',
    userNameReason: 'If you leave it empty, you sign in with your address.',
    firstName: 'First name',
    lastName: 'Last name',
    password: 'Password',
    repeat: 'Repeat the password',
    submit: 'Create the account',
  },
};

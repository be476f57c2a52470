// The texts of signing in to applications in English. The sign-in page does not load them unless an application asks.

/** Signing in to an application. */
const authorization = {
  title: (name: string) => `Sign in to ${name}`,
  continuing: (name: string) => `Continuing to ${name} …`,
  back: (name: string) => `Back to ${name}`,
  signedInAs: (user: string) => `You are signed in as ${user}.`,
  other: 'Use another account',
  ended: {
    title: 'This sign-in has ended',
    text: 'It was completed, took too long, or began in another browser. Please start again in the application.',
  },
  denied: {
    title: (name: string) => `No access to ${name}`,
    text: 'Your account may not use this application. Ask an administrator of this service to give you access.',
  },
  again: (name: string) => `${name} asks you to sign in again.`,
  otherWay: 'Sign in another way, or with another account',
  level: (name: string) => `${name} asks you to confirm your sign-in with a second factor.`,
  consent: {
    title: (name: string) => `Share data with ${name}?`,
    text: (name: string) => `${name} gets:`,
    scopes: {
      openid: 'Your account number at this service',
      profile: 'Your name and user name',
      email: 'Your e-mail address',
      phone: 'Your mobile number',
      roles: 'Your roles',
      offline_access: 'Access also after you have signed out here',
    },
    later:
      'The access ends when you sign out here, unless the list says otherwise. You can withdraw it earlier on the page “My account”.',
    allow: 'Allow',
    refuse: 'Refuse',
  },
};

/** Signing in on a device without a keyboard or browser. */
const device = {
  title: 'Connect a device',
  code: 'Code',
  codeHint: 'Type the 8 letters that the device shows.',
  wants: (name: string) => `A device wants to sign in to ${name} as you.`,
  from: (ip: string) => `The device has the address ${ip}.`,
  warning:
    'Only continue if you started this on your own device. If somebody sent you the code or a link to this page, close it.',
  otherCode: 'Type another code',
  allowed: { title: 'The device is connected', text: 'You can go back to your device, and close this page.' },
  refused: { title: 'The device was refused', text: 'It gets no access. You can close this page.' },
};

/** Signing out at the request of an application. */
const signOut = {
  title: 'Sign out?',
  text: 'An application asks to sign you out of this service, and so of all applications that you opened with this sign-in.',
  submit: 'Sign out',
  stay: 'Stay signed in',
  over: 'This question has expired, or you are signed out already. To sign out, start again in the application.',
  done: 'You are signed out',
  doneText: 'You can close this page.',
  unheard: {
    title: 'This browser is signed out',
    text: 'The service has not confirmed it. Your session may still be open there until it expires. To end it, sign in and end it on the page “My account”.',
  },
  still: (user: string) =>
    `You are signed out of the application. At this service, you are still signed in as ${user}.`,
  /** What the applications of an ended session were told. */
  told: {
    label: 'Applications',
    states: {
      pending: 'No answer yet',
      confirmed: 'Signed out',
      refused: 'Refused',
      failed: 'No answer',
      unreachable: 'Cannot be told',
    },
    tokensEnd: (time: string) => `Its tokens expire on ${time}`,
    tokensEnded: 'Its tokens have expired',
    waiting: 'This page shows each answer when it arrives.',
    inVain: 'You may still be signed in at an application that has not confirmed. Please sign out there as well.',
  },
};

export const signInTo = { authorization, device, signOut };

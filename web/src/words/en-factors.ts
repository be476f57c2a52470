// The texts of second factors and passkeys in English.

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`);

export const factors = {
  code: {
    label: 'Code',
    hint: 'The code is checked as soon as you have typed all 6 digits.',
    wrongForm: 'Type the 6 digits that the app shows.',
  },
  challenge: {
    title: 'Confirm that it is you',
    switch: {
      Authenticator: 'Use the authenticator app',
      Passkey: 'Use a passkey',
      RecoveryCode: 'Use a recovery code',
    },
    authenticator: 'Open your authenticator app, and type the code that it shows for this service.',
    passkey: 'Use a passkey or security key of this account.',
    usePasskey: 'Continue with a passkey',
    recoveryCode: 'Recovery code',
    recoveryForm: 'A recovery code has 25 letters and digits, or 10 if it is an older one.',
    recoveryHint: 'Type one of the recovery codes that you have stored. Each works once.',
    unsupported: 'Your second factor does not work in this browser. Please sign in with another browser or device.',
    trust: (count: number) => `Do not ask on this device for ${days(count)}`,
    trustHint: 'Select this only on a device that you alone use.',
    submit: 'Continue',
  },
  passkey: {
    signIn: 'Sign in with a passkey',
    name: 'Name',
    nameHint: 'So that you recognize it later.',
    create: 'Create the passkey',
    createHint:
      'Your browser asks where to keep it: on this device, in your password manager, on a phone or on a security key.',
    cancelled: 'The passkey was not used: you cancelled, or it took too long. Please try again.',
    exists: 'There is a passkey for this account already. Choose another device or security key.',
    refused: 'This passkey does not open an account here. Please sign in another way.',
    wrongAddress: 'Passkeys do not work at this address. Please tell an administrator.',
  },
  proof: {
    password: 'Current password',
    passwordHint: 'If your account has no password, leave this empty.',
    passkey: 'Confirm with a passkey instead',
    secondFactor: 'This changes how your account is protected. Confirm it with your second factor too.',
  },
  enroll: {
    authenticator: 'Set up an authenticator app',
    passkey: 'Add a passkey',
    scan: 'Scan this code with an authenticator app.',
    qrCode: 'QR code for the authenticator app',
    secret: 'If you cannot scan it, type this key in the app:',
    open: 'Open an app on this device',
    first: 'Then type the code that the app shows.',
    submit: 'Continue',
    confirm: 'Set it up',
    authenticatorOver:
      'This took longer than 5 minutes. Please begin again, and delete the old entry from your authenticator app.',
    passkeyOver: 'This took too long. Please begin again.',
    ended:
      'You began this again elsewhere, for example in another tab, or your second factors or password have changed. Please begin again.',
  },
  codes: {
    title: 'Store your recovery codes',
    reason:
      'With a recovery code you can sign in when you do not have your second factor. Each code works once. Codes that you stored before no longer work. They are shown only now: keep them in a safe place.',
    list: 'Recovery codes',
    download: 'Download',
    print: 'Print',
    copy: 'Copy',
    copied: 'The codes were copied.',
    stored: 'I have stored them',
    done: 'Done',
    fileName: 'recovery-codes.txt',
    fileTitle: (account: string, application: string) => `Recovery codes of ${account} for ${application}`,
    fileNote: 'Each code works once.',
  },
  required: {
    title: 'Set up a second factor',
    reason: 'Your account needs a second factor before you continue.',
    again: 'Choose another way',
    signOut: 'Sign out',
  },
};

/** On the own account's page. */
export const accountFactors = {
  title: 'Second factors and passkeys',
  reason: 'With a second factor, a stolen password is not enough to open your account.',
  off: 'An administrator has turned this off. The sign-in does not ask for it.',
  authenticator: {
    title: 'Authenticator app',
    none: 'An app on your phone shows a code of six digits, which you type after the password.',
    since: (at: string) => `Set up ${at}`,
    setUp: 'Set up an authenticator app',
    replace: 'Set up another app',
    remove: 'Remove',
    removeLabel: 'Remove the authenticator app',
    removeTitle: 'Remove the authenticator app?',
    removed: 'The authenticator app was removed.',
    done: 'The authenticator app is set up.',
  },
  removeText: 'Your sign-in no longer asks for it.',
  removeLastText:
    'This is your last second factor. Afterwards the password alone opens your account, and your recovery codes no longer work.',
  passkeys: {
    title: 'Passkeys',
    none: 'With a passkey you sign in by fingerprint, face, device PIN or security key, without a password.',
    unsupported: 'This browser cannot use passkeys here.',
    add: 'Add a passkey',
    created: (at: string) => `Created ${at}`,
    used: (at: string) => `Last used ${at}`,
    unused: 'Not used yet',
    backedUp: 'Backed up',
    notBackedUp: 'On one device',
    rename: 'Rename',
    renameOne: (name: string) => `Rename ${name}`,
    renameTitle: 'Rename the passkey',
    renamed: (name: string) => `The passkey is now called ${name}.`,
    remove: 'Remove',
    removeOne: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove ${name}?`,
    removeText: 'You can no longer sign in with it. Delete it from your device or password manager too.',
    removed: (name: string) => `${name} was removed.`,
    done: (name: string) => `The passkey ${name} was added.`,
  },
  codes: {
    title: 'Recovery codes',
    left: (count: number) => (count === 1 ? '1 code is left.' : `${count} codes are left.`),
    few: 'Create new ones before you have used them all.',
    renew: 'Create new codes',
    renewTitle: 'Create new recovery codes?',
    renewText: 'Your present codes stop working.',
    renewed: 'You have new recovery codes.',
  },
  devices: {
    title: 'Trusted devices',
    reason: 'The sign-in does not ask for the second factor on these devices.',
    used: (at: string) => `Last used ${at}`,
    remove: 'Remove',
    removeOne: (name: string) => `Remove ${name}`,
    removed: (name: string) => `The sign-in asks for the second factor on ${name} again.`,
  },
};

/** On the page of a user, for administrators. */
export const userFactors = {
  title: 'Second factors and passkeys',
  authenticator: 'Authenticator app',
  passkey: (name: string) => `Passkey ${name}`,
  since: (at: string) => `since ${at}`,
  used: (at: string) => `last used ${at}`,
  unused: 'not used yet',
  codes: (count: number) => (count === 1 ? '1 recovery code is left.' : `${count} recovery codes are left.`),
  devices: (count: number) => (count === 1 ? '1 device is trusted.' : `${count} devices are trusted.`),
  reset: 'Reset second factors',
  resetTitle: (name: string) => `Reset the second factors of ${name}`,
  resetText:
    'The service removes all second factors, passkeys and recovery codes of the user, and notifies them. Make sure that the request comes from the user: attackers ask for this.',
  reason: 'Reason',
  reasonHint: 'For the audit trail, such as how you have verified the user.',
  resetSubmit: 'Reset them',
  resetDone: (name: string) => `${name} has no second factor any more.`,
};

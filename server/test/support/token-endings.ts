// What ends tokens, and what does not: the lists behind the test that the feed names every end.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '../../src');

/** A call of these ends tokens or grants, or issues a token that other services must refuse. */
const ENDING =
  /\b(?:sessions\.(open|swap|signOff|end\w*|requirePasswordChange|restrictToEnrollment)|keys\.(rotate)|(grants\.end\w*))\b/g;

/** Returns each place in the code that ends tokens: its file, and the method that it calls. */
export function findEndings(): string[] {
  const files = globSync('**/*.ts', { cwd: SRC }).filter((file) => !/\.test\.ts$|^tokens\//.test(file));
  return files.flatMap((file) => {
    const text = readFileSync(join(SRC, file), 'utf8').replaceAll(/\s*\n\s*\./g, '.');
    return [...text.matchAll(ENDING)].map(([, ...found]) => `${file} ${found.find((name) => name !== undefined)}`);
  });
}

/** Methods of sessions that end none. `issue` completes what `swap` has begun. */
export const harmlessMethods = [
  'recordAuthentication',
  'issue',
  'verify',
  'readClaims',
  'check',
  'findOpen',
  'lockOfAccount',
  'openForApplication',
  'requireOpen',
  'listOpen',
  'countOpen',
  'deleteExpired',
  'liftEnrollment',
];

/** Calls that end no token, though they change something. A new call belongs here, or below with a proof. */
export const harmless = Object.entries({
  TokenAuth:
    'Authenticate VerifySecondFactor OtpAuthenticateSendPin OtpAuthenticate ExternalAuthenticateAsync ExternalAuthenticateByCode GetPasskeyOptions PasskeyAuthenticate GetSecondFactorOptions GetReauthenticationOptions',
  ExternalLogin: 'Begin Link LinkByCode',
  User: 'ChangeMyAddress SetMySecurityQuestions ChangeLanguage SendEmailLink SendSmsOtp ResetPasswordSendOtp ValidateResetCode ResetPasswordVerifyOtp ValidateSecurityQuestions Create Import SendInvitation ActivateUser Activate UnlockUser',
  Authenticator: 'Begin Remove',
  RecoveryCode: 'Regenerate',
  TrustedDevice: 'Remove',
  Passkey: 'GetRegistrationOptions Rename',
  Otp: 'SendPin ResendPin VerifyPin',
  UserManagement: 'Create CompleteRegistration',
  Account: 'Register IsTenantAvailable',
  Settings: 'UpdateValue ResetValue',
  Message: 'Preview SendTest',
  Role: 'Create',
  FrontEndApp: 'Create Update Delete UploadLogo',
  ServiceKey: 'Create Withdraw',
  Application: 'Create',
  Authorization: 'Continue',
  ExternalProvider: 'Create Update Test',
  Webhook: 'Create Update Delete RotateSecret SendTest Redeliver',
}).flatMap(([folder, names]) => names.split(' ').map((name) => `${folder}/${name}`));

/** Commands that end no token. */
export const harmlessCommands =
  /^(verifier|doctor|migrate|move|test-server|keys list|import roles|export users|config (export|plan)|user (list|create|activate|unlock)|service-keys \w+|applications [\w-]+|providers (add|list|change|test)|webhooks [\w-]+|audit \w+)$/;

/**
 * @property in where the code ends the tokens. @property calls the routes, with who may call them. @property endsGrants whether all
 * grants end, though their sessions stay open. @property keepsOffline whether grants with `offline_access` stay, which have sessions of
 * their own.
 */
export type Way = {
  in: string;
  calls?: Record<string, string>;
  ends: 'own' | 'other' | 'all' | 'none';
  endsGrants?: true;
  keepsOffline?: true;
  act: () => Promise<unknown>;
  /** Takes back what would otherwise hold for the ways after this one. */
  afterwards?: () => Promise<unknown>;
};

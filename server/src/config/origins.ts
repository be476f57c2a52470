// The origins of front ends: of web pages, and of the shells in which mobile apps run them.
import { EnvironmentError } from './environment-error.ts';
import { isOrigin } from './values.ts';

/** The pages of Capacitor and Ionic on iOS. They send these as `Origin`. */
const SHELLS: readonly string[] = ['capacitor://localhost', 'ionic://localhost'];

/** An Android app, which asks for passkeys by itself: the SHA-256 hash of the certificate that it is signed with, in base64url. */
const ANDROID_APP = /^android:apk-key-hash:[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** Whether an app has this origin in what its authenticator signs. No request names it as `Origin`. */
export const isAndroidApp = (origin: string): boolean => ANDROID_APP.test(origin);

/** Returns the origins in `LATCHKEY_CORS_ORIGINS`. @throws EnvironmentError */
export function readOrigins(text: string): string[] {
  const origins = text.split(/[\s,]+/).filter((entry) => entry !== '');
  for (const origin of origins) {
    if (isOrigin(origin) || SHELLS.includes(origin) || isAndroidApp(origin)) continue;
    const problem = `has "${origin}", but each entry must be an origin such as https://app.example.com, ${SHELLS.join(', ')}, or android:apk-key-hash: with the 43 characters of the app.`;
    throw new EnvironmentError('LATCHKEY_CORS_ORIGINS', problem);
  }
  return origins;
}

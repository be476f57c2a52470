// The texts of a locked sign-in in German.
import type { locked as en } from './en-sign-in.ts';

export const locked: typeof en = {
  title: 'Vorübergehend gesperrt',
  reason: 'Es gab zu viele Fehlversuche. Die Sperre endet von selbst. Sie können auch Ihr Passwort zurücksetzen.',
  over: 'Sie können es jetzt wieder versuchen.',
};

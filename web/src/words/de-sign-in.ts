// The texts of the sign-in pages in German: a lock, and the links below the form.
import type { locked as en, legal as legalInEnglish } from './en-sign-in.ts';

export const locked: typeof en = {
  title: 'Vorübergehend gesperrt',
  reason: 'Es gab zu viele Fehlversuche. Die Sperre endet von selbst. Sie können auch Ihr Passwort zurücksetzen.',
  over: 'Sie können es jetzt noch einmal versuchen.',
};

export const legal: typeof legalInEnglish = {
  label: 'Rechtliches und Hilfe',
  terms: 'Nutzungsbedingungen',
  privacy: 'Datenschutz',
  support: 'Hilfe',
};

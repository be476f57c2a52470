// The effect of settings in words, in French. Durations are in words already.
import type { settingEffects as english } from './en-setting-effects.ts';

const times = (count: number, one: string, many: string) => `${count} ${count < 2 ? one : many}`;
const list = (parts: readonly string[]) => new Intl.ListFormat('fr', { type: 'conjunction' }).format(parts);

export const settingEffects: typeof english = {
  lockout: (count, time) =>
    count < 2
      ? `${count} mot de passe ou code inexact verrouille l’utilisateur (durée : ${time}).`
      : `${count} mots de passe ou codes inexacts de suite verrouillent l’utilisateur (durée : ${time}).`,
  lockoutOff: 'Seuls 100 échecs de suite verrouillent un utilisateur.',
  password: (length, required) =>
    required.length === 0
      ? `Un nouveau mot de passe a au moins ${length} caractères quelconques.`
      : `Un nouveau mot de passe a au moins ${length} caractères, dont ${list(required)}.`,
  characters: {
    digit: 'un chiffre',
    lowercase: 'une minuscule',
    uppercase: 'une majuscule',
    other: 'un autre caractère',
  },
  autoLogoff: (time) =>
    `Les pages ouvertes déconnectent leur utilisateur après une inactivité (durée : ${time}). Jusque-là, elles maintiennent le jeton valable.`,
  sleep: (time) => `Un appareil en veille plus longtemps (${time}) ne le peut pas, et son utilisateur est déconnecté.`,
  noAutoLogoff: (time) =>
    `Les utilisateurs inactifs sont déconnectés à l’expiration de leur jeton. Validité d’un jeton : ${time}.`,
  resetBy: (ways) =>
    ways.length === 0
      ? 'Les utilisateurs ne peuvent pas réinitialiser un mot de passe oublié. Un administrateur doit le faire.'
      : `Les utilisateurs réinitialisent un mot de passe oublié avec ${new Intl.ListFormat('fr', { type: 'disjunction' }).format(ways)}.`,
  byLink: (time) => `un lien par e-mail (validité : ${time})`,
  bySms: (time) => `un code par SMS (validité : ${time})`,
  byQuestions: (count) => times(count, 'réponse à une question de sécurité', 'réponses à des questions de sécurité'),
  tooFewQuestions: (asked, listed) =>
    `Les questions de sécurité ne réinitialisent aucun mot de passe : il en faut ${asked}, et la liste en contient ${listed}.`,
  rate: (count, time) => `Une adresse peut tenter ${times(count, 'connexion', 'connexions')} (fenêtre : ${time}).`,
  pinRate: (count, time) => `Elle peut demander ${times(count, 'code ou lien', 'codes ou liens')} (fenêtre : ${time}).`,
  waitForWindow: 'Au-delà, elle attend la fin de la fenêtre.',
  waitAtLeast: (time) => `Au-delà, elle attend la fin de la fenêtre (au moins : ${time}).`,
  session: (time) => `Les utilisateurs se reconnectent au plus tard après : ${time}.`,
  token: (time) => `Validité d’un jeton : ${time}. Les clients le renouvellent tant que leur utilisateur est actif.`,
  tokenUntilIdle: (time, idle) =>
    `Validité d’un jeton : ${time}. Les pages ouvertes le renouvellent jusqu’à une inactivité de leur utilisateur de : ${idle}.`,
  pins: (count, attempts) =>
    `Il y a ${count} codes possibles. Un code permet ${times(attempts, 'tentative', 'tentatives')}.`,
  resend: (count, time) =>
    `Un utilisateur peut demander un autre code après ce délai : ${time}. Au plus ${times(count, 'message', 'messages')} par jour.`,
  resendAtOnce: (count) =>
    `Un utilisateur peut demander un autre code immédiatement. Au plus ${times(count, 'message', 'messages')} par jour.`,
  noFactors: 'Les utilisateurs ne peuvent pas configurer de second facteur.',
  factors: (kinds, isRequired) =>
    isRequired
      ? `Les utilisateurs peuvent configurer ${list(kinds)}. Ceux qui ont des autorisations doivent le faire.`
      : `Les utilisateurs peuvent configurer ${list(kinds)}.`,
  kinds: { passkeys: 'des clés d’accès', authenticator: 'une application d’authentification' },
  noRegistration: 'Les utilisateurs ne peuvent pas s’inscrire. Les administrateurs créent les utilisateurs.',
  registration: {
    email: 'Les utilisateurs s’inscrivent avec une adresse e-mail et choisissent un nom d’utilisateur.',
    emailAsName: 'Les utilisateurs s’inscrivent avec une adresse e-mail, qui devient leur nom d’utilisateur.',
    sms: 'Les utilisateurs s’inscrivent avec un numéro de mobile.',
  },
};

// OWASP ASVS 5.0: the chapters on authentication, sessions, tokens and OAuth, and what of others concerns the service.
import { authentication } from './asvs-authentication.ts';
import { service } from './asvs-service.ts';
import { sessions } from './asvs-sessions.ts';
import { tokens } from './asvs-tokens.ts';
import type { Standard } from './requirement.ts';

export const asvs: Standard = {
  name: 'OWASP ASVS 5.0',
  short: 'ASVS',
  source: 'https://github.com/OWASP/ASVS/tree/master/5.0/en',
  chapters: [...authentication, ...sessions, ...tokens, ...service],
};

// The standards against which the service is measured.
import { asvs } from './asvs.ts';
import { nist } from './nist.ts';
import { bestPractice, openid } from './oauth.ts';
import type { Standard } from './requirement.ts';

export {
  type Condition,
  countVerdicts,
  isMet,
  membersOf,
  type Requirement,
  readTest,
  type Standard,
  VERDICTS,
  verdictOf,
} from './requirement.ts';

export const standards: readonly Standard[] = [asvs, nist, bestPractice, openid];

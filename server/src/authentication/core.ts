// The parts of authentication, created from the capabilities that they combine.
import type { AccountStore } from '../accounts/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { EnrolledFactorReader, FactorOperations, TrustedDevices } from '../factors/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Random } from '../foundation/random.ts';
import type { Secrets } from '../foundation/secrets.ts';
import type { Lockouts } from '../lockout/index.ts';
import type { Passwords } from '../passwords/index.ts';
import type { Roles } from '../roles/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Database } from '../storage/database.ts';
import type { Revocations, Sessions } from '../tokens/index.ts';
import { createAttempts } from './attempts.ts';
import { createAuthentication } from './authentication.ts';
import { createChallenges } from './challenges.ts';
import { createFactorEndings } from './factor-endings.ts';
import { createOwnerVerification } from './owner-verification.ts';
import { createSecondFactors } from './second-factors.ts';
import { createSignOff } from './sign-off.ts';
import { createLoginFlowStore } from './store.sql.ts';

export function createAuthenticationCore(deps: {
  database: Database;
  settings: Settings;
  accounts: AccountStore;
  roles: Roles;
  passwords: Passwords;
  lockouts: Lockouts;
  factorOperations: FactorOperations;
  trustedDevices: TrustedDevices;
  enrolledFactors: EnrolledFactorReader;
  sessions: Sessions;
  revocations: Revocations;
  audit: AuditTrail;
  secrets: Secrets;
  clock: Clock;
  random: Random;
}) {
  const { database, roles } = deps;
  const attempts = createAttempts(deps);
  const secondFactors = createSecondFactors(deps);
  const ownerVerification = createOwnerVerification({ ...deps, attempts, secondFactors });
  roles.whenGranted(secondFactors.enforceEnrollment);
  const flows = createLoginFlowStore(database);
  const factorEndings = createFactorEndings({ ...deps, flows });
  const challenges = createChallenges({ ...deps, flows });
  const steps = { attempts, challenges, secondFactors };
  return {
    attempts,
    ownerVerification,
    secondFactors,
    factorEndings,
    challenges,
    authentication: createAuthentication({ ...deps, ...steps }),
    signOff: createSignOff(deps),
  };
}

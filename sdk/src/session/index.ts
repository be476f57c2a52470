// Sessions of server-rendered applications, for any server that takes a `Request`, and for Express and Fastify.
export { expressSend, expressSessions, fastifySend, fastifySessions, toSessionRequest } from './adapters.ts';
export {
  type Application,
  type Credentials,
  type Parts,
  SessionRefused,
  type SessionRequest,
  type SessionStore,
  type Sessions,
  type SessionsOptions,
  type SignedIn,
  type SignInOptions,
  SignOutFailed,
  type User,
} from './interface.ts';
export { createSessions } from './sessions.ts';

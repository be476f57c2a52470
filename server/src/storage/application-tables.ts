// The tables of applications: what is registered, asked, granted and ended.
import type { Instant } from '../foundation/clock.ts';
import type { Flag } from './flag.ts';

export type ApplicationTable = {
  id: string;
  /** Unique. */
  client_id: string;
  name: string;
  kind: 'web' | 'browser' | 'native' | 'machine';
  /** JSON of the members that only the application's own requests read. */
  settings: string;
  front_end: string;
  is_enabled: Flag;
  /** Keyed hash of the client secret. */
  secret_mac: string | null;
  /** The one before, which is valid until `former_until`. */
  former_secret_mac: string | null;
  former_until: Instant | null;
  /** When an administrator changed it who lacks permissions of the service. Null: who saved it last has them all. */
  untrusted_since: Instant | null;
  created_at: Instant;
};

/** A request of an application that waits for a person, or that was pushed and waits for its browser. */
export type ApplicationRequestTable = {
  id: string;
  kind: 'authorization' | 'pushed';
  /** Keyed hash of the secret in the cookie of the browser that asks. */
  cookie_mac: string | null;
  application_id: string;
  /** JSON. */
  parameters: string;
  /** The device authorization that it is for. */
  device_mac: string | null;
  created_at: Instant;
  expires_at: Instant;
};

/** What an application got from one approval. Its id is the `sid` of its tokens. */
export type ApplicationGrantTable = {
  id: string;
  application_id: string;
  /** Null: the application's own, by client credentials. */
  account_id: number | null;
  session_id: string | null;
  /** The session in which a person gave it. */
  approved_session_id: string | null;
  /** Separated by spaces. */
  scopes: string;
  audience: string;
  nonce: string | null;
  /** The authentication of the person at the approval, as in `session`. */
  amr: string;
  authenticated_at: Instant;
  /** Keyed hash of the authorization code. */
  code_mac: string | null;
  code_expires_at: Instant | null;
  /** S256. */
  code_challenge: string | null;
  redirect_uri: string | null;
  /** When the code, or the device code, was exchanged. Before that the application has no token. */
  redeemed_at: Instant | null;
  /** Keyed hash of the current refresh token, and of the one before. */
  refresh_mac: string | null;
  former_refresh_mac: string | null;
  refreshed_at: Instant | null;
  /** How often it was refreshed. */
  generation: number;
  /** None of its access tokens expires later. */
  tokens_expire_at: Instant;
  created_at: Instant;
  expires_at: Instant;
  ended_at: Instant | null;
};

export type ApplicationConsentTable = {
  id: string;
  account_id: number;
  application_id: string;
  /** Separated by spaces. */
  scopes: string;
  at: Instant;
};

/** A device that waits for its person (RFC 8628). */
export type DeviceAuthorizationTable = {
  /** Keyed hash of the device code. */
  mac: string;
  user_code_mac: string;
  application_id: string;
  scopes: string;
  audience: string;
  state: 'pending' | 'approved' | 'denied' | 'redeemed';
  grant_id: string | null;
  /** Where it asked from. */
  ip_address: string | null;
  interval_seconds: number;
  polled_at: Instant | null;
  expires_at: Instant;
};

/** A client assertion that was used: each is accepted once (RFC 7523, 3). */
export type UsedClientAssertionTable = { mac: string; expires_at: Instant };

/** The handle of a session that a browser holds in a cookie. */
export type BrowserSessionTable = { mac: string; session_id: string; expires_at: Instant };

/** What an application was told, and answered, when a grant of a person ended. */
export type SignOutTable = {
  id: string;
  grant_id: string;
  session_id: string;
  account_id: number;
  application_id: string;
  /** What it was called then. Null: it ended before migration 39. */
  application_name: string | null;
  state: 'pending' | 'confirmed' | 'refused' | 'failed' | 'unreachable';
  ended_at: Instant;
  /** When the grant's last access token expires. */
  tokens_end_at: Instant;
  settled_at: Instant | null;
  due_at: Instant;
  tries: number;
  failures: number;
};

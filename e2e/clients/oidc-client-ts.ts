// A browser application with oidc-client-ts, which also answers in the frame of a silent renewal.
import { UserManager } from 'oidc-client-ts';

if (location.pathname === '/silent') {
  const { origin } = location;
  void new UserManager({ authority: origin, client_id: '', redirect_uri: origin }).signinSilentCallback();
}
Object.assign(globalThis, { UserManager });

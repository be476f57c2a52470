// Every call and command that ends tokens, found by the code that ends them: the feed names each token that the service
// refuses, and no other.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { hashSync as bcrypt } from '@node-rs/bcrypt';
import { endAllSessions, watchForRestore } from '../../src/app/restore-check.ts';
import { runCommandLine } from '../cli/run.ts';
import { createMigratedUrl, enginesAtLength } from '../support/databases.ts';
import { useFactors } from '../support/factors.ts';
import { type FeedReader, followFeed } from '../support/feed-reader.ts';
import { claimsOf } from '../support/forge.ts';
import { type FollowedGrants, followGrants } from '../support/grant-endings.ts';
import {
  begin,
  callAs,
  createClient,
  createSigner,
  createVerifier,
  openBrowser,
  proceed,
  signInTo,
  toRequest,
} from '../support/oauth.ts';
import { createDevice, enrollPasskey, signInByPasskey } from '../support/passkeys.ts';
import { createPerson, createTestProvider, linkBody } from '../support/providers.ts';
import { pinIn } from '../support/registration.ts';
import { spread } from '../support/scale.ts';
import { startTestService, TEST_SECRET, type TestAnswer, type TestService, USER_PASSWORD } from '../support/service.ts';
import { findEndings, harmless, harmlessCommands, harmlessMethods, type Way } from '../support/token-endings.ts';

const API = '/api/services/app';
const TOKEN = '/api/TokenAuth';
const NEW_PASSWORD = 'gravel lantern staple';

for (const engine of enginesAtLength) {
  describe(`every end of a token on ${engine}`, () => {
    const acme = createTestProvider('Acme');
    const person = createPerson();
    let folder: string;
    let url: string;
    let test: TestService;
    let factors: ReturnType<typeof useFactors>;
    let reader: FeedReader;
    let grants: FollowedGrants;
    let admin: string;
    let id: number;
    let userName: string;
    let own: string;
    let other: string;
    let tokens: string[] = [];
    let count = 0;

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'latchkey-endings-'));
      url = engine === 'sqlite' ? `sqlite:${join(folder, 'latchkey.db')}` : await createMigratedUrl(engine);
      test = await startTestService(engine, { url, additions: { providers: [acme.info] } });
      const clinic = { appKey: 'clinic', name: 'Clinic', description: '' };
      await test.post(`${API}/FrontEndApp/Create`, { token: await test.admin(), body: clinic });
      factors = useFactors({ here: test, there: test, close: async () => {} });
    });
    after(async () => {
      await test.close();
      rmSync(folder, { recursive: true });
    });
    beforeEach(async () => {
      count += 1;
      // The end of all sessions waits for the next second.
      test.clock.advance(1);
      userName = `person${count}`;
      await factors.allow({ passkeys: true }, 'optional', 'clinic');
      const emailAddress = `${userName}@example.org`;
      id = await test.createUser(userName, { emailAddress, isEmailConfirmed: true });
      [own, other, admin] = [await test.signIn(userName), await test.signIn(userName), await test.admin()];
      tokens = [admin];
      reader = await followFeed(test);
      grants = await followGrants(test);
      await follow(own, other);
    });

    /** Whether other services must accept the token. */
    async function isAlive(token: string) {
      const caller = await test.service.sessions.check(token).catch(() => undefined);
      return caller !== undefined && !caller.mustChangePassword && !caller.mustEnroll;
    }
    /** The feed and the service judge each token alike. */
    async function compare(areGrantsOver = false) {
      for (const token of tokens) assert.equal(reader.refuses(token), !(await isAlive(token)));
      await grants.compare(reader, areGrantsOver);
    }
    /** Compares tokens from now on. Those that may be used sign in to an application, with and without `offline_access`. */
    async function follow(...opened: string[]) {
      tokens.push(...opened);
      for (const token of opened) if (await isAlive(token)) await grants.give(token);
    }
    async function call(path: string, body: object = {}, token: string | null = own): Promise<TestAnswer> {
      const answer = await test.post(path.startsWith('/') ? path : `${API}/${path}`, { token, body });
      assert.equal(answer.status, 200, answer.text);
      return answer;
    }
    const byAdmin = (path: string, body: object) => call(path, body, admin);
    const send = async (method: 'PUT' | 'DELETE', path: string, input: object) =>
      assert.equal((await test.send(method, `${API}/${path}`, { token: admin, ...input })).status, 200);
    async function exchange(token: string) {
      const { result } = await call(`${TOKEN}/RefreshTokenAsync`, {}, token);
      const { accessToken } = result as { accessToken: string };
      tokens.push(accessToken);
      return accessToken;
    }
    async function signInAtClinic() {
      const headers = { 'sha-frontend-application': 'clinic' };
      const answers = [await factors.signIn(userName, {}, headers), await factors.signIn(userName, {}, headers)];
      [own = '', other = ''] = answers.map(({ result }) => result.accessToken ?? '');
      await follow(own, other);
    }
    /** From the session of an administrator that was open before: a new one would be restricted. */
    async function requireForPermissions(isRequired: boolean) {
      const value = { passkeys: true, authenticator: true, trustedDeviceDays: 0, requireForPermissions: isRequired };
      await byAdmin('Settings/UpdateValue', { name: 'Latchkey.Factors', value });
    }
    async function signInRestricted() {
      await factors.allow({ passkeys: true }, 'required', 'clinic');
      await signInAtClinic();
    }
    /** Opens both sessions with a passkey. @returns its id. */
    async function openByPasskey() {
      const device = createDevice();
      const passkey = await enrollPasskey(test.service, device, id);
      [own, other] = [await signInByPasskey(test, device), await signInByPasskey(test, device)];
      await follow(own, other);
      return passkey;
    }
    async function link() {
      const key = createPerson({ ...person, providerKey: `key${count}` });
      await call('ExternalLogin/Link', linkBody(acme, key));
      const [{ id: linked } = { id: '' }] = (await test.get(`${API}/ExternalLogin/GetAll`, { token: own })).result
        .items;
      return linked;
    }
    async function importUser(hash: string, roleNames: readonly string[] = []) {
      const row = { Id: 7000 * count, UserName: userName, Password: hash, Roles: roleNames };
      writeFileSync(join(folder, 'users.jsonl'), JSON.stringify(row));
      await command('import', 'users', 'users.jsonl', '--update');
    }
    /** Registers an external provider that the account is linked to. */
    async function linkProvider() {
      const name = `Provider ${count}`;
      const body = { type: 'oidc', name, clientId: 'latchkey', issuer: 'https://id.example.com' };
      const { id: provider } = (await byAdmin('ExternalProvider/Create', body)).result as { id: string };
      const login = { provider: name, providerKey: 'key', accountId: id, linkedAt: test.clock.now() };
      await test.service.database.transaction((tx) => test.service.externalLoginStore.add(tx.sql, login));
      return { id: provider, name };
    }
    async function command(...words: string[]) {
      const env = { LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET: TEST_SECRET, LATCHKEY_DATA_DIR: folder };
      const { code, err } = await runCommandLine(words, env, folder);
      assert.equal(code, 0, err);
    }

    async function apply(file: string) {
      writeFileSync(join(folder, 'latchkey.yaml'), file);
      await command('config', 'apply', join(folder, 'latchkey.yaml'), '--prune');
    }

    const ways: Record<string, Way> = {
      'a sign-in with a password that must be changed': {
        in: 'authentication/authentication.ts open',
        ends: 'all',
        async act() {
          await send('PUT', 'User/Update', { body: { id, requireChangePassword: true } });
          own = await test.signIn(userName);
          tokens.push(own);
        },
      },
      'a sign-in that must enroll': { in: 'authentication/authentication.ts open', ends: 'all', act: signInRestricted },
      'a refresh': {
        in: 'sign-in/renewals.ts swap',
        calls: { 'TokenAuth/RefreshTokenAsync': 'bearer' },
        ends: 'own',
        act: () => exchange(own),
      },
      'a refresh that demands an enrollment': {
        in: 'sign-in/renewals.ts swap',
        ends: 'own',
        keepsOffline: true,
        async act() {
          await signInAtClinic();
          await factors.allow({}, 'required', 'clinic');
          own = await exchange(own);
        },
      },
      'a further authentication': {
        in: 'sign-in/renewals.ts swap',
        calls: { 'TokenAuth/Reauthenticate': 'token' },
        ends: 'own',
        async act() {
          const { result } = await call(`${TOKEN}/Reauthenticate`, { password: USER_PASSWORD });
          tokens.push((result as { accessToken: string }).accessToken);
        },
      },
      'a sign-off': {
        in: 'authentication/sign-off.ts signOff',
        calls: { 'TokenAuth/SignOff': 'public' },
        ends: 'own',
        keepsOffline: true,
        act: () => call(`${TOKEN}/SignOff`),
      },
      'a revocation (RFC 7009)': {
        in: 'authentication/sign-off.ts signOff',
        ends: 'own',
        keepsOffline: true,
        async act() {
          const headers = { 'content-type': 'application/x-www-form-urlencoded' };
          assert.equal((await test.post('/oauth/revoke', { headers, body: `token=${own}` })).status, 200);
        },
      },
      'a sign-out that an application asked for': {
        in: 'openid/end-session.ts end',
        calls: { 'Authorization/EndSession': 'public' },
        ends: 'own',
        keepsOffline: true,
        async act() {
          const browser = openBrowser(test);
          const request = toRequest(grants.client, createVerifier());
          await proceed(browser, await begin(browser, request), own, { consent: true });
          const { headers } = await browser.send('GET', '/oauth/end-session');
          const question = new URL(String(headers.location)).searchParams.get('question');
          const answer = await browser.send('POST', `${API}/Authorization/EndSession`, { body: { question } });
          assert.equal(answer.status, 200, answer.text);
        },
      },
      'the end of a session by its owner': {
        in: 'my-account/my-sessions.ts end',
        calls: { 'Session/End': 'token' },
        ends: 'other',
        keepsOffline: true,
        async act() {
          const { items } = (await test.get(`${API}/Session/GetAll`, { token: own })).result;
          assert.equal(items.length, 4);
          await call('Session/End', { id: claimsOf(other).sid });
        },
      },
      'the end of all others by their owner': {
        in: 'my-account/my-sessions.ts endOfAccount',
        calls: { 'Session/EndOthers': 'token' },
        ends: 'other',
        act: () => call('Session/EndOthers'),
      },
      'a changed password': {
        in: 'my-account/password-change.ts endOfAccount',
        calls: { 'User/ChangePassword': 'token' },
        ends: 'other',
        act: () => call('User/ChangePassword', { currentPassword: USER_PASSWORD, newPassword: NEW_PASSWORD }),
      },
      'a password changed because it had to be, and the exchange after it': {
        in: 'my-account/password-change.ts requirePasswordChange',
        ends: 'all',
        async act() {
          await send('PUT', 'User/Update', { body: { id, requireChangePassword: true } });
          await call('User/ChangePassword', { currentPassword: USER_PASSWORD, newPassword: NEW_PASSWORD });
          await exchange(own);
        },
      },
      'a changed address': {
        in: 'my-account/address-proof.ts endOfAccount',
        calls: { 'User/VerifyMyAddress': 'token' },
        ends: 'other',
        async act() {
          const wanted = { currentPassword: USER_PASSWORD, emailAddress: `new${count}@example.org` };
          const { operationId } = (await call('User/ChangeMyAddress', wanted)).result as { operationId: string };
          await call('User/VerifyMyAddress', { operationId, pin: pinIn((await test.deliver()).at(-1)) });
        },
      },
      'a deleted external provider': {
        in: 'external-logins/external-logins.ts endOfAccounts',
        calls: { 'ExternalProvider/Delete': 'pages:maintenance' },
        ends: 'all',
        act: async () => {
          const provider = await linkProvider();
          await send('DELETE', 'ExternalProvider/Delete', { query: { id: provider.id } });
        },
      },
      'latchkey providers remove': {
        in: 'external-logins/external-logins.ts endOfAccounts',
        ends: 'all',
        act: async () => command('providers', 'remove', (await linkProvider()).name),
      },
      'latchkey config apply, which removes a provider': {
        in: 'external-logins/external-logins.ts endOfAccounts',
        ends: 'all',
        async act() {
          await linkProvider();
          await apply('externalProviders: {}');
        },
      },
      'latchkey config apply, which disables an application': {
        in: 'app/applications.ts grants.end',
        ends: 'none',
        endsGrants: true,
        act: () => apply(`applications: { ${grants.client.clientId}: { name: Grafana, kind: web, isEnabled: false } }`),
      },
      'a removed external login': {
        in: 'external-logins/external-logins.ts endOfAccount',
        calls: { 'ExternalLogin/Unlink': 'token' },
        ends: 'other',
        act: async () => call('ExternalLogin/Unlink', { id: await link() }),
      },
      'an external login that an administrator removes': {
        in: 'external-logins/external-logins.ts endOfAccount',
        calls: { 'User/RemoveExternalLogin': 'Pages.Users' },
        ends: 'all',
        act: async () => byAdmin('User/RemoveExternalLogin', { userId: id, id: await link() }),
      },
      'an enrolled app, and the exchange after it': {
        in: 'my-factors/complete-enrollment.ts endEnrollment',
        calls: { 'Authenticator/Confirm': 'token' },
        ends: 'all',
        async act() {
          await signInRestricted();
          await factors.enroll(own);
          await exchange(own);
        },
      },
      'a registered passkey, and the exchange after it': {
        in: 'my-factors/complete-enrollment.ts endEnrollment',
        calls: { 'Passkey/Register': 'token' },
        ends: 'all',
        async act() {
          await signInRestricted();
          const { result } = await call('Passkey/GetRegistrationOptions', { currentPassword: USER_PASSWORD });
          const options = result as Parameters<ReturnType<typeof createDevice>['create']>[0];
          await call('Passkey/Register', { ...createDevice().create(options), name: 'phone' });
          await exchange(own);
        },
      },
      'the first enrolled app, without a policy': {
        in: 'my-factors/complete-enrollment.ts endEnrollment',
        ends: 'other',
        act: () => factors.enroll(own),
      },
      'a removed passkey': {
        in: 'my-factors/my-passkeys.ts endOpenedByPasskey',
        calls: { 'Passkey/Remove': 'token' },
        ends: 'other',
        act: async () => call('Passkey/Remove', { id: await openByPasskey() }),
      },
      'a reset of the second factors': {
        in: 'account-factors/account-factors.ts endOpenedByPasskey',
        calls: { 'User/ResetFactors': 'users:resetPassword' },
        ends: 'all',
        act: () => openByPasskey().then(() => byAdmin('User/ResetFactors', { userId: id, reason: 'lost phone' })),
      },
      'latchkey user reset-factors': {
        in: 'account-factors/account-factors.ts endOpenedByPasskey',
        ends: 'all',
        act: () => openByPasskey().then(() => command('user', 'reset-factors', userName)),
      },
      'a permission of a role, where those need a second factor': {
        in: 'authentication/second-factors.ts restrictToEnrollment',
        calls: { 'Role/Update': 'pages:maintenance' },
        ends: 'all',
        async act() {
          await send('PUT', 'User/Update', { body: { id, roleNames: ['Clerk'] } });
          const { items } = (await test.get(`${API}/Role/GetAll`, { token: admin })).result;
          const { id: role } = items.find(({ name }) => name === 'Clerk') ?? { id: 0 };
          await requireForPermissions(true);
          await send('PUT', 'Role/Update', { body: { id: role, grantedPermissions: ['books:read'] } });
        },
        afterwards: () => requireForPermissions(false),
      },
      'a reset password': {
        in: 'password-reset/password-replacement.ts endOfAccount',
        calls: { 'User/ResetPasswordUsingToken': 'public' },
        ends: 'all',
        async act() {
          await call('User/SendEmailLink', { username: userName }, null);
          const code = (await test.deliver()).at(-1)?.text.match(/^ {4}(\d{6})$/m)?.[1];
          const { result } = await call('User/ValidateResetCode', { username: userName, code, method: 2 }, null);
          await call('User/ResetPasswordUsingToken', { ...Object(result), newPassword: NEW_PASSWORD }, null);
        },
      },
      deactivation: {
        in: 'account-administration/account-administration.ts endOfAccount',
        calls: { 'User/InactivateUser': 'Pages.Users', 'User/DeActivate': 'Pages.Users' },
        ends: 'all',
        act: () => byAdmin('User/InactivateUser', { userId: id }),
      },
      deletion: {
        in: 'account-administration/account-administration.ts endOfAccount',
        calls: { 'User/Delete': 'Pages.Users' },
        ends: 'all',
        act: () => send('DELETE', 'User/Delete', { query: { id } }),
      },
      'an erasure': {
        in: 'persons/erasure.ts endOfAccount',
        calls: { 'User/Erase': 'Pages.Users' },
        ends: 'all',
        act: () => byAdmin('User/Erase', { id }),
      },
      'an erasure by the owner': {
        in: 'persons/erasure.ts endOfAccount',
        calls: { 'User/EraseMyAccount': 'token' },
        ends: 'all',
        async act() {
          await byAdmin('Settings/UpdateValue', { name: 'Latchkey.OwnErasure', value: { isOffered: true } });
          await call('User/EraseMyAccount', { currentPassword: USER_PASSWORD });
        },
      },
      'sign-out everywhere': {
        in: 'account-administration/account-administration.ts endOfAccount',
        calls: { 'User/SignOutEverywhere': 'Pages.Users' },
        ends: 'all',
        act: () => byAdmin('User/SignOutEverywhere', { userId: id }),
      },
      'the end of one session by an administrator': {
        in: 'account-administration/sessions.ts end',
        calls: { 'User/EndSession': 'Pages.Users' },
        ends: 'other',
        keepsOffline: true,
        act: () => byAdmin('User/EndSession', { userId: id, id: claimsOf(other).sid }),
      },
      'a password that an administrator sets': {
        in: 'account-administration/account-administration.ts endOfAccount',
        calls: { 'User/ResetPassword': 'users:resetPassword' },
        ends: 'all',
        act: () => byAdmin('User/ResetPassword', { userId: id, newPassword: NEW_PASSWORD }),
      },
      'an update that deactivates': {
        in: 'account-changes/account-changes.ts endOfAccount',
        calls: { 'User/Update': 'Pages.Users' },
        ends: 'all',
        act: () => send('PUT', 'User/Update', { body: { id, isActive: false } }),
      },
      'an update that demands another password': {
        in: 'account-changes/account-changes.ts requirePasswordChange',
        ends: 'all',
        act: () => send('PUT', 'User/Update', { body: { id, requireChangePassword: true } }),
      },
      'an update that takes the demand back, and the exchange after it': {
        in: 'account-changes/account-changes.ts requirePasswordChange',
        ends: 'all',
        async act() {
          await send('PUT', 'User/Update', { body: { id, requireChangePassword: true } });
          await send('PUT', 'User/Update', { body: { id, requireChangePassword: false } });
          for (const token of [own, other]) await exchange(token);
        },
      },
      'latchkey user deactivate': {
        in: 'account-administration/account-administration.ts endOfAccount',
        ends: 'all',
        act: () => command('user', 'deactivate', userName),
      },
      'latchkey user reset-password': {
        in: 'account-administration/account-administration.ts endOfAccount',
        ends: 'all',
        act: () => command('user', 'reset-password', userName),
      },
      'latchkey import users --update': {
        in: 'account-import/update.ts endOfAccount',
        ends: 'all',
        async act() {
          userName = `imported${count}`;
          await importUser(bcrypt(USER_PASSWORD, 4));
          [own, other] = [await test.signIn(userName), await test.signIn(userName)];
          await follow(own, other);
          await importUser(bcrypt(NEW_PASSWORD, 4));
        },
      },
      'latchkey sessions end-all': {
        in: 'app/restore-check.ts endAll',
        ends: 'all',
        act: () => endAllSessions(test.service, 'test'),
      },
      'latchkey keys rotate --compromised': {
        in: 'cli/keys.ts rotate',
        ends: 'all',
        act: () => test.service.keys.rotate({ compromised: true }),
      },
      'latchkey keys rotate': {
        in: 'cli/keys.ts rotate',
        ends: 'none',
        act: () => test.service.keys.rotate({ compromised: false }),
      },
      'an application that is disabled': {
        in: 'app/applications.ts grants.end',
        calls: { 'Application/Update': 'pages:maintenance' },
        ends: 'none',
        endsGrants: true,
        act: () => send('PUT', 'Application/Update', { body: { id: grants.client.id, isEnabled: false } }),
      },
      'an application that is deleted': {
        in: 'app/applications.ts grants.end',
        calls: { 'Application/Delete': 'pages:maintenance' },
        ends: 'none',
        endsGrants: true,
        act: () => send('DELETE', 'Application/Delete', { query: { id: grants.client.id } }),
      },
      'another secret of a machine': {
        in: 'app/applications.ts grants.end',
        calls: { 'Application/RotateSecret': 'pages:maintenance' },
        ends: 'none',
        async act() {
          const machine = await createClient(test, { kind: 'machine', redirectUris: [] });
          const form = { grant_type: 'client_credentials' };
          const { access_token } = (await callAs(test, machine, '/oauth/token', form)).body;
          await reader.catchUp();
          assert.equal(reader.refuses(access_token), false);
          await byAdmin('Application/RotateSecret', { id: machine.id });
          await reader.catchUp();
          assert.equal(reader.refuses(access_token), true);
        },
      },
      'a key of a machine that is taken away': {
        in: 'app/applications.ts grants.end',
        calls: { 'Application/Update': 'pages:maintenance' },
        ends: 'none',
        async act() {
          const [first, second] = [await createSigner(), await createSigner()];
          const machine = await createClient(test, {
            kind: 'machine',
            redirectUris: [],
            authentication: 'private_key_jwt',
            jwks: { keys: [first.jwk, second.jwk] },
          });
          const form = { grant_type: 'client_credentials', ...(await first.sign(machine.clientId, test.clock.now())) };
          const { access_token } = (await callAs(test, { ...machine, secret: null }, '/oauth/token', form)).body;
          const change = (...keys: object[]) =>
            send('PUT', 'Application/Update', { body: { id: machine.id, jwks: { keys } } });
          await change(first.jwk, second.jwk, (await createSigner()).jwk);
          await reader.catchUp();
          assert.equal(reader.refuses(access_token), false, 'a key was added');
          await change(second.jwk);
          await reader.catchUp();
          assert.equal(reader.refuses(access_token), true);
        },
      },
      'other allowed roles': {
        in: 'app/applications.ts grants.end',
        ends: 'none',
        endsGrants: true,
        act: () => send('PUT', 'Application/Update', { body: { id: grants.client.id, allowedRoles: ['UserManager'] } }),
      },
      'the loss of the last allowed role': {
        in: 'app/applications.ts grants.end',
        ends: 'none',
        endsGrants: true,
        async act() {
          await send('PUT', 'User/Update', { body: { id, roleNames: ['Clerk', 'Guest'] } });
          await send('PUT', 'Application/Update', {
            body: { id: grants.client.id, allowedRoles: ['Clerk', 'UserManager'] },
          });
          await send('PUT', 'User/Update', { body: { id, roleNames: ['Clerk'] } });
          await grants.compare(reader);
          await send('PUT', 'User/Update', { body: { id, roleNames: ['Guest'] } });
        },
      },
      'a deleted role': {
        in: 'app/applications.ts grants.end',
        calls: { 'Role/Delete': 'pages:maintenance' },
        ends: 'none',
        endsGrants: true,
        async act() {
          const name = `Temp${count}`;
          const role = { name, displayName: name, description: '', grantedPermissions: [] };
          const { result } = await byAdmin('Role/Create', role);
          await send('PUT', 'User/Update', { body: { id, roleNames: [name.toUpperCase()] } });
          await send('PUT', 'Application/Update', { body: { id: grants.client.id, allowedRoles: [name] } });
          await grants.compare(reader);
          await send('DELETE', 'Role/Delete', { query: { id: (result as { id: number }).id } });
        },
      },
      'an import that takes the last allowed role': {
        in: 'app/applications.ts grants.end',
        ends: 'none',
        endsGrants: true,
        async act() {
          // The roles are there from now on.
          for (const roleNames of [['Clerk', 'Guest'], []])
            await send('PUT', 'User/Update', { body: { id, roleNames } });
          userName = `imported${count}`;
          const hash = bcrypt(USER_PASSWORD, 4);
          await importUser(hash, ['Clerk']);
          await send('PUT', 'Application/Update', { body: { id: grants.client.id, allowedRoles: ['Clerk'] } });
          [own, other] = [await test.signIn(userName), await test.signIn(userName)];
          await follow(own, other);
          await importUser(hash, ['Guest']);
        },
      },
      'a refresh for an account that may not use the application': {
        in: 'openid/tokens.ts grants.end',
        ends: 'none',
        endsGrants: true,
        async act() {
          // As an operator does in the database.
          await test.service.database.sql.updateTable('account').set({ is_active: 0 }).where('id', '=', id).execute();
          await grants.refreshAll();
        },
      },
      'an application that signs its person out of a browser that knows nobody': {
        in: 'openid/end-session.ts grants.endByRequest',
        ends: 'none',
        async act() {
          const client = await createClient(test);
          const { id_token, access_token } = await signInTo(test, client, userName);
          const query = { id_token_hint: id_token };
          assert.equal((await openBrowser(test).send('GET', '/oauth/end-session', { query })).status, 303);
          await reader.catchUp();
          assert.equal(reader.refuses(access_token), true);
        },
      },
      'an application that signs its person out of a browser where another session has begun': {
        in: 'openid/end-session.ts grants.endByRequest',
        ends: 'none',
        async act() {
          const client = await createClient(test);
          const { id_token, access_token } = await signInTo(test, client, userName);
          const { browser } = await signInTo(test, client, userName);
          const { headers } = await browser.send('GET', '/oauth/end-session', { query: { id_token_hint: id_token } });
          const question = new URL(String(headers.location)).searchParams.get('question');
          const answer = await browser.send('POST', `${API}/Authorization/EndSession`, { body: { question } });
          assert.equal(answer.status, 200, answer.text);
          await reader.catchUp();
          assert.equal(reader.refuses(access_token), true);
        },
      },
      'a revocation by an application': {
        in: 'introspection/application-tokens.ts grants.endByRequest',
        ends: 'none',
        async act() {
          const client = await createClient(test);
          const { access_token, refresh_token } = await signInTo(test, client, userName);
          assert.equal((await callAs(test, client, '/oauth/revoke', { token: refresh_token })).status, 200);
          await reader.catchUp();
          assert.equal(reader.refuses(access_token), true);
        },
      },
      'a consent that is withdrawn': {
        in: 'openid/consents.ts grants.end',
        calls: { 'Consent/Withdraw': 'token' },
        ends: 'none',
        endsGrants: true,
        async act() {
          const [consent] = (await test.get(`${API}/Consent/GetAll`, { token: own })).result.items;
          await call('Consent/Withdraw', { id: consent?.id });
        },
      },
      'other roles': {
        in: '',
        ends: 'none',
        act: () => send('PUT', 'User/Update', { body: { id, roleNames: ['Clerk'] } }),
      },
      'other settings': {
        in: '',
        ends: 'none',
        act: () => test.set('Latchkey.Tokens', { accessTokenLifetime: 80_000, sessionLifetime: 90_000 }),
      },
      'the cleanup jobs': {
        in: '',
        ends: 'none',
        async act() {
          for (let hour = 0; hour < 3; hour += 1) {
            test.clock.advance(3600);
            for (const job of test.service.jobs) await job();
          }
        },
      },
      'latchkey serve on a database that is older than it was': {
        in: 'app/restore-check.ts endAll',
        ends: engine === 'sqlite' ? 'all' : 'none',
        async act() {
          writeFileSync(join(folder, 'latchkey.mark'), '0000000000999999');
          const watch = await watchForRestore(test.service, `sqlite:${join(folder, 'latchkey.db')}`, (error) =>
            assert.fail(String(error)),
          );
          assert.equal(watch.wasRestored, engine === 'sqlite');
          await watch.stop();
        },
      },
    };

    // The short form tries some of them on PostgreSQL.
    const tried = spread(Object.entries(ways), engine === 'sqlite' ? 1 : 4);
    for (const [name, { ends, act, endsGrants, keepsOffline = false, afterwards }] of tried) {
      it(`${name} is in the feed`, async () => {
        await compare();
        await act();
        await reader.catchUp();
        await compare(endsGrants);
        for (const token of [own, other]) {
          const judged = grants.judge(reader, token);
          if (judged?.inSession) assert.equal(judged.offline, !keepsOffline);
        }
        const refused = [own, other].map(reader.refuses);
        assert.deepEqual(refused, [ends === 'own' || ends === 'all', ends === 'other' || ends === 'all']);
        await afterwards?.();
      });
    }

    it('is in the list above', async () => {
      const found = findEndings();
      assert.deepEqual(new Set(found), new Set(Object.values(ways).flatMap((way) => way.in || [])));
      const methods = new Set(
        found.flatMap((place) => place.split(' ').slice(1)).filter((name) => !/^rotate|^grants/.test(name)),
      );
      assert.deepEqual(new Set([...methods, ...harmlessMethods]), new Set(Object.keys(test.service.sessions)));
      const { out } = await runCommandLine(['--help'], {}, folder);
      const commands = [...out.matchAll(/^ {2}([a-z]\S*(?: [a-z]\S*)?) /gm)].map(([, name = '']) => name);
      const ending = commands.filter((name) => Object.keys(ways).some((way) => way.startsWith(`latchkey ${name}`)));
      assert.deepEqual(
        commands.filter((name) => !harmlessCommands.test(name)),
        ending,
      );
      assert.ok(ending.includes('sessions end-all'));
      const routes = new Map(
        test.service.routes.map(({ method, path, access }) => [
          path.split('/').slice(-2).join('/'),
          { method, access },
        ]),
      );
      const calls = Object.assign({}, ...Object.values(ways).map((way) => way.calls));
      for (const [path, access] of Object.entries(calls)) assert.deepEqual(routes.get(path)?.access, access, path);
      const changing = [...routes].filter(([, { method }]) => method !== 'GET').map(([path]) => path);
      assert.deepEqual(new Set(changing), new Set([...harmless, ...Object.keys(calls)]));
    });
  });
}

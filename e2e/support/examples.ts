// A service with something to show on every page: users in each state, front ends, roles, keys, activity and messages.
import assert from 'node:assert/strict';
import { svg } from '../../server/test/support/pictures.ts';
import { USER_PASSWORD } from '../../server/test/support/service.ts';
import type { Pages } from './browser.ts';
import { enrollApp, setFactors } from './factors.ts';
import { liftLimits } from './messages.ts';

const API = '/api/services/app';

const LONG_NAME = 'The kiosk of the municipality of Bad Homburg vor der Höhe';

const people = [
  ['thandi', 'Thandi', 'Mokoena'],
  ['lerato', 'Lerato', 'Khumalo'],
  ['sipho', 'Sipho', 'Ndlovu'],
  ['maximiliane.friederike', 'Maximiliane Friederike', 'von und zu Guttenberg-Schwarzenfels'],
] as const;

/** The ids of the account with the longest name, of a webhook whose receiver cannot be reached, and of an application. */
export type Examples = {
  readonly user: number;
  readonly webhook: string;
  readonly application: string;
  readonly provider: string;
};

/** A password can be reset by as many questions as the examples have. */
const TWO_QUESTIONS = {
  useResetPasswordViaSecurityQuestions: true,
  resetPasswordViaSecurityQuestionsNumQuestionsAllowed: 2,
};

/** Fills an empty service. */
export async function addExamples(pages: Pages): Promise<Examples> {
  const { test } = pages;
  await liftLimits(pages);
  const token = await test.admin();
  const post = async (path: string, body: unknown) => {
    const { status, text, result } = await test.post(`${API}/${path}`, { token, body });
    assert.equal(status, 200, `${path}: ${text}`);
    return result;
  };
  await post('FrontEndApp/Create', { appKey: 'portal', name: 'Portal', description: 'For customers' });
  await post('FrontEndApp/Create', { appKey: 'kiosk', name: LONG_NAME });
  await post('Role/Create', {
    name: 'Supervisors',
    displayName: 'Supervisors of the regional offices',
    description: 'Read and change what their region has.',
    grantedPermissions: ['Pages.Users', 'Pages.Invoices', 'Pages.Regions.Approve'],
  });
  await post('Role/Create', { name: 'Clerk' });
  await test.createServiceKey('billing', ['introspect']);
  await test.createServiceKey('reporting-of-the-regional-offices', ['introspect', 'revocations']);
  await test.set('Latchkey.SecurityQuestions', [
    { id: '00000000-0000-4000-8000-000000000001', question: 'What was the name of your first school?' },
    { id: '00000000-0000-4000-8000-000000000002', question: 'In which town did your parents meet?' },
  ]);
  await test.set('Shesha.Security', TWO_QUESTIONS);
  await test.set('Shesha.UserManagement', { supportedRegistrationMethods: 3 });
  await setFactors(pages, { authenticator: true, passkeys: true });
  let last = 0;
  for (const [index, [userName, name, surname]] of people.entries()) {
    last = await test.createUser(userName, {
      name,
      surname,
      emailAddress: `${userName}@regional-offices.example.org`,
      isEmailConfirmed: true,
      mobileNumber: `+2782123456${index}`,
      isMobileConfirmed: true,
      roleNames: index === 3 ? ['Supervisors', 'Clerk'] : ['Clerk'],
      requireChangePassword: userName === 'lerato',
    });
  }
  await enrollApp(pages, 'sipho');
  for (let tries = 0; tries < 6; tries += 1) {
    const body = { userNameOrEmailAddress: 'maximiliane.friederike', password: `wrong ${tries}` };
    await test.post('/api/TokenAuth/Authenticate', { body });
  }
  await test.signIn('thandi', USER_PASSWORD);
  await test.post(`${API}/User/SendEmailLink`, { body: { username: 'thandi' } });
  const lines = Array.from({ length: 30 }, (_, index) =>
    JSON.stringify({
      userName: `user-${String(index).padStart(4, '0')}`,
      name: 'Nomvula',
      surname: `Dlamini ${index}`,
    }),
  );
  await post('User/Import', { lines });
  const picture = svg('<rect width="40" height="10" fill="#0a7f5a"/>', 'viewBox="0 0 40 10"').toString('base64');
  const { logo } = (await post('FrontEndApp/UploadLogo', { content: picture })) as { logo: string };
  await test.set(
    'Latchkey.Brand',
    {
      name: 'Acme',
      logo,
      accent: '#0a7f5a',
      terms: 'https://acme.example/terms',
      privacy: 'https://acme.example/privacy',
      support: 'mailto:help@acme.example',
      texts: [{ language: 'en', title: 'Welcome to Acme', note: 'Use your staff number.' }],
    },
    'portal',
  );
  await test.set('Latchkey.Brand', { name: LONG_NAME, accent: '#7f1d6a' }, 'kiosk');
  await test.deliver();
  const { id: webhook } = (await post('Webhook/Create', {
    url: 'http://127.0.0.1:9/events-of-the-regional-offices?token=7b1f4c0e2d9a4e6f8a1c3b5d7f9e0a2c',
    actions: ['signIn.*', 'account.passwordChanged', 'account.created', 'message.sent'],
    description: 'Reporting of the regional offices',
  })) as { id: string };
  await post('Webhook/Create', { url: 'https://hooks.example.com/events', actions: ['*'], isEnabled: false });
  await post('Webhook/SendTest', { id: webhook });
  await test.service.deliveries.deliverDue(webhook);
  const application = await addApplications(post);
  const provider = await addProviders(post, pages);
  return { user: last, webhook, application, provider };
}

/** Registers two external providers. @returns the id of the one with most that is set, and a history. */
async function addProviders(post: (path: string, body: unknown) => Promise<unknown>, { test }: Pages): Promise<string> {
  const { id } = (await post('ExternalProvider/Create', {
    type: 'oidc',
    name: 'Directory of the regional offices',
    displayName: 'The directory of all regional offices and municipalities',
    clientId: '5f0c1b52-9c1e-4a5d-8d5f-1a2b3c4d5e6f.apps.regional-offices.example.org',
    clientSecret: 'secret',
    issuer: 'https://sign-in.regional-offices.example.org/realms/directory-of-the-regional-offices',
    allowedDomains: ['regional-offices.example.org'],
    claims: { providerKey: 'preferred_username' },
    roleForNewUsers: 'Clerk',
    secretExpiresAt: '2026-01-31T00:00:00Z',
  })) as { id: string };
  await post('ExternalProvider/Create', {
    type: 'github',
    name: 'GitHub',
    clientId: 'x',
    clientSecret: 'y',
    isEnabled: false,
  });
  const body = { id, scopes: ['openid', 'email'], roleForNewUsers: null, clientSecret: 'another secret' };
  const { status } = await test.send('PUT', `${API}/ExternalProvider/Update`, { token: await test.admin(), body });
  assert.equal(status, 200);
  return id;
}

/** Registers two applications. @returns the id of the one that people sign in to. */
async function addApplications(post: (path: string, body: unknown) => Promise<unknown>): Promise<string> {
  const { id } = (await post('Application/Create', {
    name: 'Reporting of the regional offices',
    kind: 'web',
    redirectUris: ['https://reporting.regional-offices.example.org/sign-in/callback-of-the-regional-offices'],
    allowedRoles: ['Supervisors', 'Clerk'],
  })) as { id: string };
  await post('Application/Create', { name: 'Nightly job', kind: 'machine', clientId: 'nightly', isEnabled: false });
  return id;
}

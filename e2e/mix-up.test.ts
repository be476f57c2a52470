// Mix-up (RFC 9700, 4.4): a provider that makes a browser return another provider's answer as its own learns nothing.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { ExternalAuthProviderApiBase } from '../server/src/extensions/index.ts';
import { type OpenidProvider, registrationOf, startOpenidProvider } from '../server/test/support/openid-provider.ts';
import { type Pages, startPages } from './support/browser.ts';
import { liftLimits } from './support/messages.ts';
import { passThrough } from './support/providers.ts';

describe('a provider that redirects people to another one', () => {
  let company: OpenidProvider;
  let evil: Server;
  let pages: Pages;
  /** The request that the other provider answers, and the fragment added to the answer. */
  let asked: Record<string, string>;
  let hash = '';
  const told: string[] = [];

  before(async () => {
    company = await startOpenidProvider();
    company.people.set('ann', {
      email: 'ann@example.com',
      email_verified: true,
      given_name: 'Ann',
      family_name: 'Lee',
    });
    evil = createServer(({ url = '' }, response) => {
      const to = new URL(`${company.issuer}/auth`);
      to.search = new URL(url, 'http://evil.example').search;
      for (const [name, value] of Object.entries(asked)) to.searchParams.set(name, value);
      to.hash = hash;
      response.writeHead(302, { location: to.href }).end();
    }).listen(0, '127.0.0.1');
    await once(evil, 'listening');
    const address = `http://127.0.0.1:${(evil.address() as AddressInfo).port}/sign-in`;
    class EvilApi extends ExternalAuthProviderApiBase {
      override async getSignInAddressAsync() {
        return address;
      }
      async getUserInfoAsync(accessCode: string) {
        told.push(accessCode);
        return null;
      }
    }
    const providers = [
      { ...registrationOf(company.issuer, 'pages'), name: 'Company' },
      { name: 'Evil', clientId: 'evil', clientSecret: '', providerApiType: EvilApi },
    ];
    pages = await startPages('sqlite', { additions: { providers } });
    await liftLimits(pages);
  });
  after(async () => {
    await pages?.close();
    await company?.stop();
    evil?.close();
    evil?.closeAllConnections();
  });

  const claims = Buffer.from(JSON.stringify({ iss: 'https://evil.example', sub: 'ann' })).toString('base64url');
  const ofCompany = () => ({ client_id: 'pages', redirect_uri: `${pages.url}/login/external/Company` });
  const ways = {
    'as it is': { more: {}, over: '' },
    'with a token of its own laid over a code in the query': {
      more: { response_type: 'code', response_mode: 'query' },
      over: `id_token=x.${claims}.x`,
    },
  };

  for (const [name, { more, over }] of Object.entries(ways)) {
    it(`receives no answer of the other one, ${name}`, async () => {
      const context = await pages.open();
      const page = await context.newPage();
      await page.goto('/login');
      await passThrough(page, 'Continue with Company', 'ann');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Continue with Company' }).waitFor();
      [asked, hash] = [{ ...ofCompany(), ...more }, over];
      await page.getByRole('button', { name: 'Continue with Evil' }).click();
      await page.getByText('This page was already used').waitFor();
      await page.waitForURL(`${pages.url}/login/external/Company`);
      assert.deepEqual(told, []);
      await context.close();
    });
  }

  it('cannot have the answer returned to its own address', async () => {
    const context = await pages.open();
    const page = await context.newPage();
    [asked, hash] = [{ client_id: 'pages' }, ''];
    await page.goto('/login');
    await page.getByRole('button', { name: 'Continue with Evil' }).click();
    await page.getByText('invalid_redirect_uri').waitFor();
    assert.deepEqual(told, []);
    await context.close();
  });
});

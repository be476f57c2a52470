// Pages on which people sign in through providers: Acme of the guide, a real OpenID provider, and one that fails.
import type { Page } from 'playwright-core';
import { ExternalAuthProviderApiBase } from '../../server/src/extensions/index.ts';
import { type Acme, startAcme } from '../../server/test/support/acme.ts';
import { createProfile } from '../../server/test/support/identity-server.ts';
import { type OpenidProvider, registrationOf, startOpenidProvider } from '../../server/test/support/openid-provider.ts';
import { type Pages, startPages } from './browser.ts';
import { liftLimits } from './messages.ts';

/** The longest permitted name. */
export const BROKEN =
  'The directory of the municipality, for all who work or have worked in one of its many departments';

/** Newcomers with such an address wait for an administrator. */
export const HELD = 'held@example.com';

class BrokenApi extends ExternalAuthProviderApiBase {
  override async getSignInAddressAsync(): Promise<string> {
    throw new Error('out of order');
  }

  async getUserInfoAsync() {
    return null;
  }
}

export interface ProviderPages {
  readonly pages: Pages;
  readonly acme: Acme;
  readonly company: OpenidProvider;
  /** Creates an account for a person at Acme. @returns the login to type there. */
  addAtAcme(login: string, more?: object): string;
  close(): Promise<void>;
}

export async function startProviderPages(): Promise<ProviderPages> {
  const acme = await startAcme();
  const company = await startOpenidProvider();
  const providers = [
    acme.provider,
    { ...registrationOf(company.issuer, 'pages'), name: 'Company' },
    { name: BROKEN, clientId: 'x', clientSecret: '', providerApiType: BrokenApi },
  ];
  const reviewers = [
    ({ emailAddress }: { emailAddress: string }) => (emailAddress === HELD ? 'hold' : 'register'),
  ] as const;
  const pages = await startPages('sqlite', { additions: { providers, reviewers } });
  await liftLimits(pages);
  return {
    pages,
    acme,
    company,
    addAtAcme(login, more = {}) {
      acme.server.people.set(login, createProfile({ email: `${login}@acme.example`, ...more }));
      return login;
    },
    async close() {
      await pages.close();
      await company.stop();
      await acme.server.stop();
    },
  };
}

/** From the page with the button of this name to the provider, and back as this person. */
export async function passThrough(page: Page, button: string, login: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByLabel('Login').fill(login);
  await page.getByRole('button', { name: 'Continue' }).click();
}

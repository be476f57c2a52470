// What a person does whom an application has sent to this service.
import type { Page } from 'playwright-core';
import type { Provider } from '../../server/test/support/real-clients.ts';

/** Signs the person in on the page of the service, and goes where its answer leads. */
export async function signInForApplication(page: Page, { test }: Provider): Promise<void> {
  await page.waitForURL(({ pathname }) => pathname === '/login');
  const body = JSON.stringify({ authorization: new URL(page.url()).searchParams.get('authorization') });
  const headers = { authorization: `Bearer ${await test.signIn('ann')}`, 'content-type': 'application/json' };
  const init = JSON.stringify({ method: 'POST', headers, body });
  const proceed = `fetch('/api/services/app/Authorization/Continue', ${init}).then((answer) => answer.json())`;
  const { result } = (await page.evaluate(proceed)) as { result: { redirectTo: string } };
  await page.goto(result.redirectTo);
}

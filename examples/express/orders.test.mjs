// orders.test.mjs: tests of server.mjs, with a Latchkey that starts for them and ends with them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLatchkey } from 'latchkey-sdk';
import { startLatchkey } from 'latchkey-sdk/testing';

const APP = 'http://localhost:3000';
const PASSWORD = 'correct horse battery staple';
const ann = { userName: 'ann', password: PASSWORD, emailAddress: 'ann@example.com', isEmailConfirmed: true };

let latchkey;
before(async () => {
  latchkey = await startLatchkey({ config: '../latchkey.yaml', pin: '123456', users: [ann] });
  process.env.LATCHKEY_URL = latchkey.url;
  await import('./server.mjs');
});
after(() => latchkey?.stop());

/** Opens a browser, which keeps cookies and follows no redirect. */
function openBrowser() {
  const cookies = new Map();
  return async (url, { headers, ...more } = {}) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(url, { ...more, headers: { ...headers, cookie }, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      cookies.set(name, value);
    }
    return answer;
  };
}

/** Signs in to the application, as the pages of Latchkey do with what the person types. @returns the browser. */
async function signIn(prove) {
  const browser = openBrowser();
  const follow = async (answer) => new URL(answer.headers.get('location'), APP);
  const page = await follow(await browser(await follow(await browser(`${APP}/sign-in`))));
  const { call } = createLatchkey({ baseUrl: latchkey.url, fetch: browser });
  await prove(call);
  const input = { authorization: page.searchParams.get('authorization') };
  await browser((await call('Authorization/Continue', input)).redirectTo);
  return browser;
}

const byPassword = (password) => (call) => call('TokenAuth/Authenticate', { userNameOrEmailAddress: 'ann', password });

async function byPin(call) {
  const { operationId } = await call('TokenAuth/OtpAuthenticateSendPin', { userNameOrMobileNo: 'ann' });
  const { pin } = await latchkey.lastMessageTo('ann@example.com');
  await call('TokenAuth/OtpAuthenticate', { operationId, code: pin });
}

const readOrders = async (browser) => {
  const answer = await browser(`${APP}/orders`);
  return answer.status === 200 ? answer.text() : answer.headers.get('location');
};

test('asks for a sign-in', async () => {
  assert.equal(await readOrders(openBrowser()), '/sign-in');
});

test('shows the orders after a sign-in by password, until the person signs out', async () => {
  const browser = await signIn(byPassword(PASSWORD));
  assert.match(await readOrders(browser), /The orders of ann/);
  await browser(`${APP}/sign-out`, { method: 'POST' });
  assert.equal(await readOrders(browser), '/sign-in');
});

test('shows them after a sign-in by pin', async () => {
  assert.match(await readOrders(await signIn(byPin)), /The orders of ann/);
});

test('locks a person out for five minutes', async () => {
  for (let tries = 0; tries < 5; tries += 1) await assert.rejects(signIn(byPassword('a guess')));
  await assert.rejects(signIn(byPassword(PASSWORD)), { reason: 'signIn.lockedOut' });
  await latchkey.advance(300);
  assert.match(await readOrders(await signIn(byPassword(PASSWORD))), /The orders of ann/);
});

test('asks again after thirty days', async () => {
  const browser = await signIn(byPassword(PASSWORD));
  await latchkey.advance(30 * 86_400);
  assert.equal(await readOrders(browser), '/sign-in');
});

// A page of another site in a real browser: what it makes the browser send neither counts at the service nor sends messages.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type Application, startApplication } from './support/application.ts';
import { type Pages, startPages } from './support/browser.ts';

const AUTHENTICATE = '/api/TokenAuth/Authenticate';
const SEND_PIN = '/api/TokenAuth/OtpAuthenticateSendPin';
const SIGN_IN_PAGE = '/api/services/app/ExternalLogin/GetSignInPage?name=Acme';

/** All ways of a page to send a request to another site without a preflight, but a form. `at` is the service's address. */
const attack = (at: string) => `(async () => {
  const pin = '${at}${SEND_PIN}?userNameOrMobileNo=thandi';
  const post = (url, more) => fetch(url, { method: 'POST', mode: 'no-cors', ...more });
  const loads = [];
  for (let turn = 0; turn < 12; turn += 1) {
    const image = new Image();
    loads.push(new Promise((resolve) => { image.onload = image.onerror = resolve; }));
    image.src = '${at}${SIGN_IN_PAGE}&turn=' + turn;
    loads.push(post('${at}${AUTHENTICATE}'));
  }
  loads.push(post(pin), post(pin, { body: JSON.stringify({ userNameOrMobileNo: 'thandi' }) }));
  loads.push(post(pin, { body: new URLSearchParams({ userNameOrMobileNo: 'thandi' }), referrerPolicy: 'no-referrer' }));
  navigator.sendBeacon(pin);
  await Promise.all(loads);
})()`;

/** A form, whose answer becomes the page. */
const submit = (at: string) => `(() => {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', enctype: 'text/plain', action: '${at}${SEND_PIN}?userNameOrMobileNo=thandi' });
  document.documentElement.append(form);
  form.submit();
})()`;

let pages: Pages;
let evil: Application;
before(async () => {
  pages = await startPages();
  evil = await startApplication([]);
  await pages.test.createUser('thandi', { mobileNumber: '+27831234567', isMobileConfirmed: true });
});
after(async () => {
  await evil?.close();
  await pages?.close();
});

it('A page of another site uses up no budget of its visitors, and sends them no pins', async () => {
  const { test, url } = pages;
  const page = await (await pages.open()).newPage();
  const statuses: number[] = [];
  let images = 0;
  page.on('response', (response) => {
    if (response.request().method() === 'POST') statuses.push(response.status());
  });
  // The browser shows no answer to an image that is JSON.
  page.on('requestfailed', (request) => {
    if (request.resourceType() === 'image') images += 1;
  });
  await page.goto(evil.origin);
  await page.evaluate(attack(url));
  const answered = page.waitForEvent('response', (response) => response.request().isNavigationRequest());
  await page.evaluate(submit(url));
  assert.equal((await answered).status(), 403);
  assert.equal(images, 12);
  assert.ok(statuses.length >= 16, String(statuses.length));
  assert.deepEqual(new Set(statuses), new Set([403]));
  assert.deepEqual(await test.deliver(), []);
  const ip = '127.0.0.1';
  const signIn = await test.post(AUTHENTICATE, { ip, body: {} });
  const pin = await test.post(SEND_PIN, { ip, body: {} });
  assert.deepEqual([signIn.headers.ratelimit, pin.headers.ratelimit], ['"login";r=9;t=60', '"otp";r=4;t=60']);
});

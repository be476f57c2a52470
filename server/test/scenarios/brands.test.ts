// Brands: what each front end shows on pages and in messages, and how long its logos stay.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { svg } from '../support/pictures.ts';
import { createRegistering, SEND_BY } from '../support/registration.ts';
import type { TestService } from '../support/service.ts';
import { type SetUp, setUps } from '../support/set-ups.ts';

const API = '/api/services/app/FrontEndApp';
const BRAND = 'Latchkey.Brand';
const USER = '/api/services/app/User';

for (const [name, start] of Object.entries(setUps)) {
  describe(`brands on ${name}`, () => {
    let setUp: SetUp;
    let here: TestService;
    let there: TestService;
    before(async () => {
      setUp = await start();
      ({ here, there } = setUp);
      const token = await here.admin();
      for (const appKey of ['portal', 'kiosk']) {
        const answer = await here.post(`${API}/Create`, { token, body: { appKey, name: appKey } });
        assert.equal(answer.status, 200, answer.text);
      }
      await here.set('Shesha.Otp', { resendCooldown: 0, dailyLimitPerRecipient: 1000 });
      await here.createUser('thandi', { emailAddress: 'thandi@example.org', isEmailConfirmed: true });
    });
    after(() => setUp.close());

    /** Reads what has changed, as each node does once a second. */
    const reload = async ({ service }: TestService) => {
      await service.settings.load();
      await service.frontEnds.load();
    };
    const find = async (appKey: string) => {
      await reload(there);
      return (await there.get(`${API}/GetBrand`, { query: { appKey } })).result;
    };
    const upload = async (shape: string) => {
      const body = { content: svg(`<rect width="${shape}"/>`).toString('base64') };
      const answer = await here.post(`${API}/UploadLogo`, { token: await here.admin(), body });
      assert.equal(answer.status, 200, answer.text);
      return answer.result;
    };

    it('are that of the application, until a front end has its own', async () => {
      await here.set('Latchkey.Application', { name: 'Acme', colour: 'teal' });
      const plain = await find('portal');
      assert.deepEqual([plain.frontEnd, plain.name, plain.colour, plain.logo], ['portal', 'Acme', 'teal', null]);
      const { logo, path } = await upload('1');
      const texts = [{ language: 'de', title: 'Willkommen', note: '' }];
      await here.set(BRAND, { logo, terms: 'https://acme.example/terms', texts }, 'default-app');
      await here.set(BRAND, { name: 'Portal', accent: '#A05000', support: 'mailto:help@acme.example' }, 'portal');
      const own = await find('portal');
      assert.deepEqual([own.name, own.colour, own.logo], ['Portal', '#A05000', path]);
      assert.deepEqual(
        [own.terms, own.privacy, own.support],
        ['https://acme.example/terms', null, 'mailto:help@acme.example'],
      );
      assert.deepEqual(own.texts, texts);
      assert.equal((await there.get(path)).status, 200);
      const byHeader = await there.get(`${API}/GetBrand`, { headers: { 'sha-frontend-application': 'portal' } });
      assert.equal(byHeader.result.name, 'Portal');
    });

    it('of a front end that is not registered are those of Default UI', async () => {
      for (const appKey of ['unknown', 'PORTAL', '../portal', "'"]) {
        const brand = await find(appKey);
        assert.deepEqual([brand.frontEnd, brand.name], ['default-app', 'Acme']);
      }
    });

    it('appear in messages: the name in each, the colour in HTML', async () => {
      await here.deliver();
      const mail = async (frontEnd?: string) => {
        here.clock.advance(1);
        const headers = frontEnd === undefined ? {} : { 'sha-frontend-application': frontEnd };
        await here.post(`${USER}/SendEmailLink`, { body: { username: 'thandi' }, headers });
        await here.deliver();
        const query = { maxResultCount: 1 };
        const { items } = (await here.get('/api/services/app/Outbox/GetAll', { token: await here.admin(), query }))
          .result;
        return items[0] ?? assert.fail();
      };
      const branded = await mail('portal');
      assert.match(branded.subject ?? '', /Portal/);
      assert.match(branded.text, /Portal/);
      assert.match(branded.html ?? '', /<strong>Portal<\/strong>/);
      assert.match(branded.html ?? '', /solid #A05000/);
      assert.match(branded.text, /\/reset-password#\S*&frontEnd=portal\b/);
      const plain = await mail();
      assert.match(plain.html ?? '', /solid #099268[\s\S]*<strong>Acme<\/strong>/);
      assert.doesNotMatch(plain.text, /Portal|frontEnd/);
    });

    it('do not appear in messages to accounts with permissions, whatever front end a caller names', async () => {
      await here.set('Latchkey.Brand', { name: 'Locked? https://evil.example/#' }, 'default-app');
      await here.createUser('sipho', {
        emailAddress: 'sipho@example.org',
        isEmailConfirmed: true,
        roleNames: ['UserManager'],
      });
      await here.deliver();
      const headers = { 'sha-frontend-application': 'portal' };
      await here.post(`${USER}/SendEmailLink`, { body: { username: 'sipho' }, headers });
      const [message] = await here.deliver();
      assert.match(message?.subject ?? '', /Acme/);
      assert.doesNotMatch(JSON.stringify(message), /Portal|frontEnd|evil/);
      await here.set('Latchkey.Brand', { name: '' }, 'default-app');
    });

    it('appear in the mail that verifies an address, and in its link', async () => {
      await here.set('Shesha.UserManagement', { supportedRegistrationMethods: 2 });
      const headers = { 'sha-frontend-application': 'portal' };
      await here.deliver();
      await createRegistering(here).askPin('new@example.org', SEND_BY.link, { headers });
      const [message] = await here.deliver();
      assert.match(message?.text ?? '', /Portal/);
      assert.match(message?.text ?? '', /\/register#\S*&frontEnd=portal\b/);
    });

    it('keep logos that a brand shows or has shown lately, and no more than that', async () => {
      const shown = await upload('2');
      await here.set(BRAND, { logo: shown.logo }, 'kiosk');
      const lately = await upload('3');
      here.clock.advance(1);
      await here.set(BRAND, { logo: lately.logo }, 'portal');
      await here.set(BRAND, { logo: '' }, 'portal');
      const never = await upload('4');
      const later: string[] = [];
      for (let count = 0; count < 105; count += 1) {
        here.clock.advance(1);
        later.push((await upload(`5.${count}`)).path);
      }
      const statusOf = async (path: string) => (await there.get(path)).status;
      assert.equal(await statusOf(shown.path), 200);
      assert.equal(await statusOf(later.at(-1) ?? ''), 200);
      assert.equal(await statusOf(later[0] ?? ''), 404);
      assert.equal(await statusOf(never.path), 404);
      const refused = await here.post('/api/services/app/Settings/UpdateValue', {
        token: await here.admin(),
        body: { name: BRAND, value: { logo: never.logo }, appKey: 'portal' },
      });
      assert.equal(refused.status, 400);
    });

    it('move with the key of their front end, and go with it', async () => {
      const token = await here.admin();
      const { items } = (await here.get(`${API}/GetAll`, { token })).result;
      const portal = items.find(({ appKey }) => appKey === 'portal') ?? assert.fail();
      const moved = { ...portal, appKey: 'customers' };
      assert.equal((await here.send('PUT', `${API}/Update`, { token, body: moved })).status, 200);
      assert.equal((await find('customers')).name, 'Portal');
      await here.send('DELETE', `${API}/Delete`, { token, query: { id: portal.id } });
      assert.equal((await find('customers')).name, 'Acme');
    });
  });
}

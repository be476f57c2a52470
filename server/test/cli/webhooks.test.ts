// latchkey webhooks: makes, tries, changes and deletes webhooks beside a running service.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { enginesAtLength } from '../support/databases.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { createSite, type Site } from './run.ts';

for (const engine of enginesAtLength) {
  describe(`latchkey webhooks on ${engine}`, () => {
    let site: Site;
    let receiver: WebhookReceiver;
    before(async () => {
      receiver = await startWebhookReceiver();
      site = await createSite(engine);
      await site.serve();
    });
    after(async () => {
      await site.close();
      await receiver.stop();
    });

    const run = (...words: string[]) => site.run(['webhooks', ...words]);
    async function succeed(...words: string[]): Promise<string> {
      const { code, out, err } = await run(...words);
      assert.equal(code, 0, err);
      return out.trim();
    }
    async function create(...events: string[]): Promise<{ id: string; secret: string }> {
      const { code, out, err } = await run('create', receiver.url, ...events, '--description', 'Shop');
      assert.equal(code, 0, err);
      assert.match(out, /^whsec_[A-Za-z0-9+/]{43}=\n$/);
      const [, id = ''] = /Made the webhook (\S+)\. Its secret is shown only once\./.exec(err) ?? [];
      return { id, secret: out.trim() };
    }
    const stateOf = async (id: string) => (await succeed('list')).split('\n').find((line) => line.startsWith(id));

    it('makes one whose test the running service sends, signed by the secrets of the day', async () => {
      const { id, secret } = await create('account.*', 'signIn.password');
      assert.match(
        String(await stateOf(id)),
        / {2}enabled {2}account\.\*,signIn\.password {2}http:\/\/127\.0\.0\.1:\d+\/events {2}Shop$/,
      );
      assert.match(await succeed('test', id), /^The receiver answered 204 after \d+ ms\.$/);
      const second = await succeed('rotate-secret', id);
      assert.match(second, /^whsec_/);
      await succeed('test', id.toUpperCase());
      const [first, last] = receiver.take();
      assert.ok(first && last);
      new Verifier(secret).verify(first.body, first.headers);
      for (const one of [secret, second]) new Verifier(one).verify(last.body, last.headers);
      await succeed('delete', id);
    });

    it('says why a test failed, and which state a webhook has', async () => {
      receiver.answer((response) => response.writeHead(503).end());
      const { id } = await create('*');
      const failed = await run('test', id);
      assert.deepEqual([failed.code, failed.out], [1, '']);
      assert.match(failed.err, /The test failed\. The receiver answered 503\.\n$/);
      assert.match(String(await stateOf(id)), / {2}enabled, failing since \S+Z {2}\* /);
      receiver.answer((response) => response.writeHead(410).end());
      assert.equal((await run('test', id)).code, 1);
      assert.match(String(await stateOf(id)), / {2}disabled: gone {2}/);
      assert.match((await run('test', id)).err, /This webhook is disabled\. Enable it first\./);
      receiver.answer((response) => response.writeHead(204).end());
      assert.equal(await succeed('enable', id), `Enabled the webhook ${id}.`);
      assert.match(String(await stateOf(id)), / {2}enabled {2}/);
      assert.equal(await succeed('disable', id), `Disabled the webhook ${id}.`);
      assert.match(String(await stateOf(id)), / {2}disabled {2}/);
      assert.equal(await succeed('delete', id), `Deleted the webhook ${id}.`);
      assert.equal(await stateOf(id), undefined);
    });

    it('says in one line what is wrong', async () => {
      const failures: [words: string[], code: number, message: RegExp][] = [
        [['create', receiver.url], 2, /needs EVENT\./],
        [['create', 'https://10.0.0.1/', '*'], 1, /not on the public internet/],
        [['create', receiver.url, 'nothing.*'], 1, /No event is named "nothing\.\*"/],
        [['create', receiver.url, '*', '*'], 1, /actions/],
        [['test', 'none'], 1, /There is no webhook with this id/],
        [['enable', 'none'], 1, /There is no webhook with this id/],
        [['delete'], 2, /needs ID/],
        [['delete', 'one', 'two'], 2, /too many arguments/],
      ];
      for (const [words, code, message] of failures) {
        const ended = await run(...words);
        assert.equal(ended.code, code, ended.err);
        assert.match(ended.err, message);
        assert.equal(ended.out, '');
        assert.equal(ended.err.trim().split('\n').length, 1, ended.err);
      }
    });
  });
}

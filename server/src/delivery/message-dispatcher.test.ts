// The message dispatcher on both engines: one node at a time tries a message, until it is sent, refused or expired.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { createManualClock, type ManualClock } from '../../test/support/clock.ts';
import { beside, engines, openTestDatabase } from '../../test/support/databases.ts';
import { findFreePort } from '../../test/support/ports.ts';
import { addSeconds, type Clock, systemClock } from '../foundation/clock.ts';
import type { Occurrence } from '../foundation/events.ts';
import { systemRandom } from '../foundation/random.ts';
import { createSecrets } from '../foundation/secrets.ts';
import type { SettingReader } from '../foundation/setting.ts';
import type { Database } from '../storage/database.ts';
import { type Channel, DeliveryError, type OutgoingMessage, SLOTS } from './channel.ts';
import { createMessageDispatcher } from './message-dispatcher.ts';
import { createMessages, type MessageRequest } from './messages.ts';
import { createOutboxChannel } from './outbox.ts';
import { deliverySlice } from './slice.ts';
import { createSmtpChannel } from './smtp.ts';
import { createMessageStore, type MessageStore } from './store.sql.ts';
import { defineMessage } from './template.ts';

const template = defineMessage({
  name: 'Test',
  label: 'Test',
  description: 'For tests.',
  order: 1,
  allowed: ['pin', 'name'],
  needed: ['pin'],
  words: { sms: 'pin {{pin}}', subject: 'For {{ name }}', text: 'pin {{pin}}', html: '<b>{{pin}}</b> {{name}}' },
});
const brand = { name: 'Acme <Ltd>', colour: '#0a7f5a' };
const settings: SettingReader = { read: (definition) => definition.default };
const secrets = createSecrets('a secret of at least thirty-two characters', systemRandom);

for (const engine of engines) {
  describe(`message dispatcher on ${engine}`, () => {
    let database: Database;
    let clock: ManualClock;
    const recorded: Occurrence[] = [];
    const failures: unknown[] = [];
    before(async () => {
      database = await openTestDatabase(engine);
      clock = createManualClock();
    });
    after(() => database.close());

    /** Creates a node with this channel for both means. */
    function build(
      send: Channel['send'],
      { name = 'test', every = clock.every, store = createMessageStore(database), close = async () => {} } = {},
    ) {
      const messages = createMessages({
        offeredMedia: { email: true, sms: true },
        store,
        settings,
        findBrand: () => brand,
        grantPermissions: () => false,
        allowsOrigin: () => true,
        secrets,
        clock,
        random: systemRandom,
      });
      const channels = {
        sms: { name, means: 'sms', send, close },
        email: { name, means: 'email', send, close },
      } as const;
      const messageDispatcher = createMessageDispatcher({
        database,
        store,
        channels,
        open: messages.open,
        record: async (_tx, occurrence) => void recorded.push(occurrence),
        clock: { ...clock, every },
        onFailure: (error) => failures.push(error),
      });
      const queue = (more: Partial<MessageRequest> = {}) =>
        database.transaction((tx) =>
          messages.queue(tx, {
            template,
            medium: 'sms',
            to: '+27821234567',
            account: null,
            values: { pin: '909090', name: '<Ann>' },
            frontEnd: 'default-app',
            expiresAt: addSeconds(clock.now(), 300),
            ...more,
          }),
        );
      return { messageDispatcher, messages, queue };
    }

    const rows = () => database.sql.selectFrom('message').selectAll().execute();
    const clear = async () => {
      await database.sql.deleteFrom('message').execute();
      recorded.length = 0;
      failures.length = 0;
    };
    const collect = (sent: OutgoingMessage[]) => async (message: OutgoingMessage) => void sent.push(message);

    it('sends a queued message once, and deletes its text', async () => {
      await clear();
      const sent: OutgoingMessage[] = [];
      const { messageDispatcher, queue } = build(collect(sent));
      await queue();
      await queue({ medium: 'email', to: 'ann@example.com', account: { id: 7, roleNames: [] } });
      assert.ok(!JSON.stringify(await rows()).includes('909090'), 'sealed while it is queued');
      for (let turn = 0; turn < 2; turn += 1) {
        await messageDispatcher.deliverDue('sms');
        await messageDispatcher.deliverDue('email');
      }
      const [sms, mail] = sent;
      assert.equal(sent.length, 2);
      assert.deepEqual(sms, { id: sms?.id, to: '+27821234567', text: 'pin 909090' });
      const html = '<b>909090</b> &lt;Ann&gt;';
      const { html: framed = '', ...plain } = mail ?? assert.fail();
      assert.deepEqual(plain, { id: plain.id, to: 'ann@example.com', subject: 'For <Ann>', text: 'pin 909090' });
      assert.ok(framed.includes(html) && framed.includes('<strong>Acme &lt;Ltd&gt;</strong>'), framed);
      assert.match(framed, /solid #0a7f5a;/);
      for (const row of await rows()) assert.deepEqual([row.state, row.sealed_content], ['sent', null]);
      assert.deepEqual(
        recorded.map(({ action, outcome, user, details }) => [action.name, outcome, user?.id, details?.to]),
        [
          ['message.sent', 'success', undefined, '***67'],
          ['message.sent', 'success', 7, 'a***@***.com'],
        ],
      );
    });

    it('queues nothing of a transaction that fails, and sends nothing without a recipient', async () => {
      await clear();
      const sent: OutgoingMessage[] = [];
      const { messageDispatcher, messages, queue } = build(collect(sent));
      const request = {
        template,
        medium: 'sms',
        to: '+27821234567',
        account: null,
        values: {},
        frontEnd: 'default-app',
        expiresAt: clock.now(),
      } as const;
      const failing = database.transaction(async (tx) => {
        await messages.queue(tx, request);
        throw new Error('undone');
      });
      await assert.rejects(failing, /undone/);
      assert.deepEqual(await rows(), []);
      await queue({ to: null });
      await messageDispatcher.deliverDue('sms');
      assert.deepEqual([sent.length, (await rows())[0]?.state], [0, 'dropped']);
    });

    it('erases the content of messages that were dropped when they were queued, and of no other', async () => {
      await clear();
      const { messageDispatcher, messages, queue } = build(async () => {});
      const offeredMedia = { email: true, sms: true };
      const { jobs } = deliverySlice.create({ messageDispatcher, messages, offeredMedia, findAbove: async () => [] });
      const runJobs = async () => {
        for (const job of jobs) await job();
      };
      const contents = async () =>
        (await rows()).map(({ recipient, sealed_content }) => [recipient, sealed_content !== null]).toSorted();
      await queue({ to: null });
      await queue({ medium: 'email', to: null });
      await queue();
      assert.deepEqual(
        (await contents()).map(([, has]) => has),
        [true, true, true],
      );
      await runJobs();
      assert.deepEqual(await contents(), [
        ['+27821234567', true],
        ['', false],
        ['', false],
      ]);
      // Another node wrote it before, by a clock that is behind.
      const nodes = { behind: -1800, back: -2 * 86_400 };
      for (const [node, seconds] of Object.entries(nodes)) {
        clock.set(seconds);
        await queue({ to: null });
        if (node === 'behind') clock.set(-seconds);
        await runJobs();
        assert.ok(!(await contents()).some(([recipient, has]) => recipient === '' && has), node);
      }
      clock.set(-nodes.back);
    });

    it('shares a hundred messages among four dispatchers, each sent once', async () => {
      await clear();
      const sent: OutgoingMessage[] = [];
      const nodes = Array.from({ length: 4 }, () => build(collect(sent)));
      await Promise.all(Array.from({ length: 100 }, (_, index) => nodes[index % 4]?.queue()));
      await Promise.all([...nodes, ...nodes].map(({ messageDispatcher }) => messageDispatcher.deliverDue('sms')));
      assert.equal(sent.length, 100);
      assert.equal(new Set(sent.map(({ id }) => id)).size, 100);
    });

    if (engine === 'postgres') {
      it('waits for no message that another node claims just now', async () => {
        await clear();
        const sent: OutgoingMessage[] = [];
        const { messageDispatcher, queue } = build(collect(sent));
        await queue({ to: '+27820000001' });
        await queue({ to: '+27820000002' });
        await database.transaction(async (tx) => {
          await tx.sql.updateTable('message').set({ tries: 1 }).where('recipient', '=', '+27820000001').execute();
          await beside(() => messageDispatcher.deliverDue('sms'));
        });
        assert.deepEqual(
          sent.map(({ to }) => to),
          ['+27820000002'],
        );
      });
    }

    it('hands a slow mail server all e-mails of a node at once, so that none waits while its time runs', async (t) => {
      await clear();
      const received: string[] = [];
      const held: (() => void)[] = [];
      const mail = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS'],
        disableReverseLookup: true,
        onData(stream, { envelope }, answer) {
          received.push(...envelope.rcptTo.map(({ address }) => address));
          stream.resume().once('end', () => {
            held.push(answer);
            // It accepts none before it has the content of all.
            if (held.length >= SLOTS) for (const accept of held.splice(0)) accept();
          });
        },
      });
      // A client that gives up ends the test by what it stores.
      mail.on('error', () => {});
      const port = await findFreePort();
      await once(mail.listen(port, '127.0.0.1'), 'listening');
      const channel = createSmtpChannel({ url: `smtp://127.0.0.1:${port}`, from: 'no-reply@example.com' });
      t.after(() => {
        channel.close?.();
        return new Promise<void>((resolve) => mail.close(resolve));
      });
      const { messageDispatcher, queue } = build(channel.send);
      const recipients = Array.from({ length: SLOTS }, (_, index) => `person${index}@example.org`);
      for (const to of recipients) await queue({ medium: 'email', to });
      await messageDispatcher.deliverDue('email');
      assert.deepEqual(received.toSorted(), recipients.toSorted());
      assert.deepEqual([...new Set((await rows()).map(({ state }) => state))], ['sent']);
    });

    it('retries a message that was certainly not sent, at growing intervals, until it expires', async () => {
      await clear();
      const tries: number[] = [];
      const { messageDispatcher, queue } = build(async () => {
        tries.push(clock.now());
        throw new DeliveryError('notSent', 'The gateway is down.');
      });
      await queue();
      const queuedAt = clock.now();
      for (let second = 0; second <= 320; second += 1) {
        await messageDispatcher.deliverDue('sms');
        clock.advance(1);
      }
      assert.ok(tries.length > 8 && tries.length < 25, `${tries.length} tries`);
      assert.ok(tries.every((at) => at < addSeconds(queuedAt, 300)));
      assert.deepEqual([(await rows())[0]?.state, (await rows())[0]?.sealed_content], ['dropped', null]);
      assert.deepEqual(
        recorded.map(({ action, outcome }) => [action.name, outcome]),
        [['message.dropped', 'refused']],
      );
      assert.equal(failures.length, tries.length);
    });

    it('sends queued messages after an outage, unless they have expired', async () => {
      await clear();
      const sent: OutgoingMessage[] = [];
      let isDown = true;
      const { messageDispatcher, queue } = build(async (message) => {
        if (isDown) throw new DeliveryError('notSent', 'The gateway is down.');
        sent.push(message);
      });
      await queue({ to: '+27820000001', expiresAt: addSeconds(clock.now(), 30) });
      await queue({ to: '+27820000002' });
      await messageDispatcher.deliverDue('sms');
      clock.advance(31);
      isDown = false;
      await messageDispatcher.deliverDue('sms');
      assert.deepEqual(
        sent.map(({ to }) => to),
        ['+27820000002'],
      );
    });

    it('sends what a clock that was ahead has put off, when it is set back, and otherwise waits', async () => {
      await clear();
      const sent: OutgoingMessage[] = [];
      let isDown = true;
      const { messageDispatcher, queue } = build(async (message) => {
        if (isDown) throw new DeliveryError('notSent', 'The gateway is down.');
        sent.push(message);
      });
      const deliver = async () => {
        await messageDispatcher.correctDueTimes();
        await messageDispatcher.deliverDue('sms');
      };
      await deliver();
      clock.set(3600);
      await deliver();
      await queue({ to: '+27820000001', expiresAt: addSeconds(clock.now(), 86_400) });
      await deliver();
      await queue({ to: '+27820000002', expiresAt: addSeconds(clock.now(), 86_400) });
      clock.set(-3600);
      await messageDispatcher.deliverDue('sms');
      isDown = false;
      await deliver();
      assert.deepEqual(sent.map(({ to }) => to).toSorted(), ['+27820000001', '+27820000002']);

      // As another node puts one off: within an hour.
      const expiresAt = addSeconds(clock.now(), 10 * 86_400);
      await queue({ to: '+27820000003', expiresAt });
      await queue({ to: '+27820000004', expiresAt });
      clock.advance(3000);
      const putOff = (to: string, seconds: number) =>
        database.sql
          .updateTable('message')
          .set({ due_at: addSeconds(clock.now(), seconds) })
          .where('recipient', '=', to)
          .execute();
      await putOff('+27820000003', 4000);
      await putOff('+27820000004', 1500);
      await deliver();
      assert.equal(sent.length, 2);
      clock.advance(600);
      await deliver();
      assert.deepEqual(
        sent.slice(2).map(({ to }) => to),
        ['+27820000003'],
        'the other one waits no longer than it can',
      );
    });

    it('tries at most twice when it is unknown whether a message arrived', async () => {
      await clear();
      let tries = 0;
      const { messageDispatcher, queue } = build(async () => {
        tries += 1;
        throw new Error('The connection was lost.');
      });
      await queue();
      for (let turn = 0; turn < 50; turn += 1) {
        await messageDispatcher.deliverDue('sms');
        clock.advance(5);
      }
      assert.equal(tries, 2);
      assert.equal((await rows())[0]?.state, 'failed');
    });

    it('gives up a refused message at once', async () => {
      await clear();
      let tries = 0;
      const { messageDispatcher, queue } = build(async () => {
        tries += 1;
        throw new DeliveryError('refused', 'There is no such number.');
      });
      await queue();
      await messageDispatcher.deliverDue('sms');
      clock.advance(100);
      await messageDispatcher.deliverDue('sms');
      assert.equal(tries, 1);
      assert.deepEqual(
        recorded.map(({ action }) => action.name),
        ['message.failed'],
      );
    });

    it('claims a message of another node only after that claim has ended, and the late node settles nothing', async () => {
      await clear();
      const sent: string[] = [];
      const stuck = Promise.withResolvers<void>();
      const slow = build(async () => {
        sent.push('slow');
        await stuck.promise;
      });
      const other = build(async () => void sent.push('other'));
      await slow.queue();
      const under = slow.messageDispatcher.deliverDue('sms');
      while (sent.length === 0) await new Promise(setImmediate);
      clock.advance(7);
      await other.messageDispatcher.deliverDue('sms');
      assert.deepEqual(sent, ['slow']);
      clock.advance(1);
      await other.messageDispatcher.deliverDue('sms');
      stuck.resolve();
      await under;
      assert.deepEqual(sent, ['slow', 'other']);
      assert.equal(recorded.length, 1);
    });

    /** Runs tasks a hundred times as often as asked. */
    const quickly: Clock['every'] = (milliseconds, task) => systemClock.every(milliseconds / 100, task);

    it('retries a message after any number of stops before anything was sent', async () => {
      await clear();
      for (let life = 0; life < 4; life += 1) {
        const begun = Promise.withResolvers<void>();
        const send: Channel['send'] = async (_message, { signal }) => {
          begun.resolve();
          await once(signal, 'abort');
          throw new DeliveryError('notSent', 'The service stops.');
        };
        const stopped = build(send, { every: quickly });
        if (life === 0) await stopped.queue();
        const under = stopped.messageDispatcher.deliverDue('sms');
        await begun.promise;
        await stopped.messageDispatcher.stop();
        await under;
      }
      const sent: OutgoingMessage[] = [];
      await build(collect(sent)).messageDispatcher.deliverDue('sms');
      assert.equal(sent.length, 1);
    });

    it('stops though a channel does not close', async () => {
      await clear();
      let isStopped = false;
      const { messageDispatcher } = build(async () => {}, { close: () => Promise.withResolvers<void>().promise });
      const stopping = messageDispatcher.stop().then(() => {
        isStopped = true;
      });
      for (let second = 0; second < 8; second += 1) {
        clock.advance(1);
        for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      }
      assert.ok(isStopped);
      await stopping;
      assert.deepEqual(failures.map(String), Array(2).fill('TimeLimitError: It took longer than 2 s.'));
    });

    it('aborts only tries under way when it stops', async () => {
      await clear();
      const signals: AbortSignal[] = [];
      const { messageDispatcher, queue } = build(
        async (_message, { signal }) => {
          if (signals.push(signal) === 2) await once(signal, 'abort');
        },
        { every: quickly },
      );
      await queue();
      await messageDispatcher.deliverDue('sms');
      await queue();
      const under = messageDispatcher.deliverDue('sms');
      while (signals.length < 2) await new Promise(setImmediate);
      await messageDispatcher.stop();
      await under;
      // A stop that could abort an ended try would hold its message in memory until then.
      assert.deepEqual(
        signals.map(({ aborted }) => aborted),
        [false, true],
      );
    });

    it('tries again when it is due, though the database was slow to renew the claim of the failed try', async () => {
      await clear();
      const store = createMessageStore(database);
      const renewing = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const renewed = Promise.withResolvers<void>();
      const slow: MessageStore = {
        ...store,
        async putOff(message, progress) {
          if (progress.doubtfulTries !== undefined) return store.putOff(message, progress);
          renewing.resolve();
          await released.promise;
          await store.putOff(message, progress);
          renewed.resolve();
        },
      };
      const send: Channel['send'] = async () => {
        await renewing.promise;
        throw new DeliveryError('notSent', 'The gateway is down.');
      };
      const failing = build(send, { every: quickly, store: slow });
      await failing.queue();
      const under = failing.messageDispatcher.deliverDue('sms');
      await renewing.promise;
      // A dispatcher that does not wait for the renewal stores the failure first.
      await Promise.race([under, sleep(200)]);
      released.resolve();
      await Promise.all([under, renewed.promise]);
      const [row] = await rows();
      assert.equal(row?.due_at, addSeconds(clock.now(), 1));
    });

    it('sends a message at most twice when the nodes that claim it crash', async () => {
      await clear();
      const sent: number[] = [];
      const queueing = build(async () => {});
      await queueing.queue();
      for (let life = 0; life < 4; life += 1) {
        // It crashes after it has sent the message, and before it can settle it.
        const dying = build(async () => {
          sent.push(life);
          await new Promise(() => {});
        });
        const before = sent.length;
        const under = dying.messageDispatcher.deliverDue('sms');
        let isOver = false;
        under.then(() => {
          isOver = true;
        });
        while (sent.length === before && !isOver) await new Promise(setImmediate);
        clock.advance(8);
      }
      assert.deepEqual(sent, [0, 1]);
      assert.deepEqual(
        recorded.map(({ action }) => action.name),
        ['message.failed'],
      );
    });

    it('keeps messages of the development outbox, shows them newest first, and deletes them after a week', async () => {
      await clear();
      const printed: string[] = [];
      const outbox = createOutboxChannel('sms', (text) => printed.push(text));
      const { messageDispatcher, messages, queue } = build(outbox.send, { name: outbox.name });
      await queue({ to: '+27820000001' });
      clock.advance(1);
      await queue({ to: '+27820000002' });
      await messageDispatcher.deliverDue('sms');
      const page = await messages.listOutbox([], { skip: 0, take: 10 });
      assert.deepEqual(
        page.messages.map(({ recipient, text }) => [recipient, text]),
        [
          ['+27820000002', 'pin 909090'],
          ['+27820000001', 'pin 909090'],
        ],
      );
      assert.match(printed.join(''), /SMS to \+27820000001\n {2}\| pin 909090/);
      const lost = createSecrets('the secret of the service until it was lost', systemRandom);
      await database.sql
        .updateTable('message')
        .set({ sealed_content: lost.seal('message', '{}') })
        .execute();
      const { messages: unopened } = await messages.listOutbox([], { skip: 0, take: 10 });
      for (const { text } of unopened) assert.match(text, /sealed with another LATCHKEY_SECRET/);
      assert.equal(unopened.length, 2);
      clock.advance(7 * 86_400 + 1);
      await messageDispatcher.deleteExpired();
      assert.deepEqual(await rows(), []);
    });
  });
}

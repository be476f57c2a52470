// latchkey webhooks: makes, lists, tries and deletes the webhooks that send events to other systems.
import { systemClock } from '../foundation/clock.ts';
import { CommandFailure, defineCommand } from './command.ts';
import { print, printProgress, printTable, toMoment } from './output.ts';
import { byCommandLine, withService } from './service.ts';

/** A node looks for due events each second, and a receiver must answer within 15 s. */
const RESULT_MS = 20_000;
const POLL_MS = 250;

const create = defineCommand({
  name: 'webhooks create',
  about: 'Make a webhook that posts these events to an address, and print its secret once.',
  takes: ['URL', 'EVENT...'],
  options: {
    description: { type: 'string', value: 'TEXT', about: 'What lists call it, such as the name of the system.' },
  },
  async run({ description = '' }, [url = '', ...actions]) {
    const [{ WebhookMembers }, { checkInput }] = await Promise.all([
      import('../webhooks/index.ts'),
      import('../contract/input.ts'),
    ]);
    const input = checkInput(WebhookMembers, { url, actions, description });
    await withService(async ({ webhooks }) => {
      const { webhook, secret } = await webhooks.create(input, await byCommandLine());
      // Alone on standard output, so that a script can take it.
      print(secret);
      printProgress(`Made the webhook ${webhook.id}. Its secret is shown only once.`);
    });
    return undefined;
  },
});

const list = defineCommand({
  name: 'webhooks list',
  about: 'List the webhooks, the oldest first.',
  takes: [],
  options: {},
  async run() {
    await withService(async ({ webhooks }) => {
      const rows = (await webhooks.list()).map(
        ({ id, url, actions, description, isEnabled, disabledBecause, failingSince }) => {
          const failing = failingSince === null ? '' : `, failing since ${toMoment(failingSince)}`;
          const state = isEnabled ? `enabled${failing}` : ['disabled', disabledBecause ?? []].flat().join(': ');
          return [id, state, actions.join(','), url, description];
        },
      );
      printTable(['ID', 'STATE', 'EVENTS', 'ADDRESS', 'DESCRIPTION'], rows);
    });
    return undefined;
  },
});

const enable = defineCommand({
  name: 'webhooks enable',
  about: 'Enable a webhook. Events of the last week that waited for it are sent.',
  takes: ['ID'],
  options: {},
  run: async (_, [id = '']) => setEnabled(id, true),
});

const disable = defineCommand({
  name: 'webhooks disable',
  about: 'Disable a webhook: it gets no new events.',
  takes: ['ID'],
  options: {},
  run: async (_, [id = '']) => setEnabled(id, false),
});

async function setEnabled(id: string, isEnabled: boolean): Promise<undefined> {
  await withService(async ({ webhooks }) => {
    await webhooks.update(id.toLowerCase(), { isEnabled }, await byCommandLine());
    print(`${isEnabled ? 'Enabled' : 'Disabled'} the webhook ${id}.`);
  });
}

const remove = defineCommand({
  name: 'webhooks delete',
  about: 'Delete a webhook, and the events that wait for it.',
  takes: ['ID'],
  options: {},
  async run(_, [id = '']) {
    await withService(async ({ webhooks }) => {
      await webhooks.remove(id.toLowerCase(), await byCommandLine());
      print(`Deleted the webhook ${id}.`);
    });
    return undefined;
  },
});

const rotateSecret = defineCommand({
  name: 'webhooks rotate-secret',
  about:
    'Give a webhook another secret, and print it once. For 24 hours the former one also signs, unless you replace the secret again.',
  takes: ['ID'],
  options: {},
  async run(_, [id = '']) {
    await withService(async ({ webhooks }) => {
      print(await webhooks.rotateSecret(id.toLowerCase(), await byCommandLine()));
      printProgress('The secret is shown only once. For 24 hours the former one also signs.');
    });
    return undefined;
  },
});

const test = defineCommand({
  name: 'webhooks test',
  about: 'Let the running service send a test to a webhook, and say what came of it.',
  takes: ['ID'],
  options: {},
  async run(_, [given = '']) {
    const id = given.toLowerCase();
    await withService(async ({ webhooks }) => {
      const deliveryId = await webhooks.sendTest(id, await byCommandLine());
      const endsAt = systemClock.elapsed() + RESULT_MS;
      let delivery = await webhooks.findDelivery(deliveryId);
      while (delivery && delivery.lastDurationMs === null && systemClock.elapsed() < endsAt) {
        await systemClock.sleep(POLL_MS);
        delivery = await webhooks.findDelivery(deliveryId);
      }
      if (!delivery || delivery.lastDurationMs === null)
        throw new CommandFailure(
          'No node has sent the test within 20 s. Is the service running? It may wait for answers to earlier events. It sends the test when it can.',
        );
      if (delivery.state !== 'sent') throw new CommandFailure(`The test failed. ${delivery.lastError ?? ''}`.trim());
      print(`The receiver answered ${delivery.lastStatus} after ${delivery.lastDurationMs} ms.`);
    });
    return undefined;
  },
});

export const webhookCommands = [create, list, enable, disable, test, rotateSecret, remove];

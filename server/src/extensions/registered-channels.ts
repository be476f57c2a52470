// The channels that extensions register: checked, and one for each means.
import { type Channel, type Means, OUTBOX } from '../delivery/index.ts';

/** The registered channel of each means. */
export type RegisteredChannels = Partial<Record<Means, Channel>>;

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const allMeans: readonly unknown[] = ['email', 'sms'] satisfies Means[];

/** Adds what the extension at `path` registers. @throws Error whose message says what is wrong with it. */
export function createChannelRegistry() {
  const channels: RegisteredChannels = {};
  const owners: Partial<Record<Means, string>> = {};
  return {
    channels,
    add(path: string, channel: unknown) {
      assertChannel(channel);
      const { means } = channel;
      if (owners[means] !== undefined) throw new Error(`${means} has a channel already, from ${owners[means]}.`);
      owners[means] = path;
      channels[means] = channel;
    },
  };
}

function assertChannel(value: unknown): asserts value is Channel {
  if (typeof value !== 'object' || value === null) throw new Error('registerChannel takes an object.');
  const { name, means, send, close } = value as Record<keyof Channel, unknown>;
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new Error(
      "The channel's name must be a letter followed by up to 39 letters, digits or hyphens, all lower-case.",
    );
  }
  if (name === OUTBOX) throw new Error(`The name "${OUTBOX}" is kept for the development outbox.`);
  if (!allMeans.includes(means)) throw new Error(`The means of channel "${name}" must be "email" or "sms".`);
  if (typeof send !== 'function') throw new Error(`The channel "${name}" must have a function "send".`);
  if (close !== undefined && typeof close !== 'function') {
    throw new Error(`What the channel "${name}" has as "close" must be a function.`);
  }
}

// The channels that extensions register: checks them, and allows one for each means.
import { type Channel, OFF, OUTBOX } from '../delivery/index.ts';
import type { Medium } from '../foundation/medium.ts';
import { isObject } from '../foundation/object.ts';

/** The registered channel of each means. */
export type RegisteredChannels = Partial<Record<Medium, Channel>>;

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const allMeans: readonly unknown[] = ['email', 'sms'] satisfies Medium[];

export function createChannelRegistry() {
  const channels: RegisteredChannels = {};
  const owners: Partial<Record<Medium, string>> = {};
  return {
    channels,
    /** Adds a channel of the extension at `path`. @throws Error that names the problem of an invalid channel. */
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
  if (!isObject(value)) throw new Error('registerChannel takes an object.');
  const { name, means, send, close } = value;
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new Error(
      "The channel's name must be a letter followed by up to 39 letters, digits or hyphens, all lower-case.",
    );
  }
  if (name === OUTBOX || name === OFF) throw new Error(`The name "${name}" is kept for a channel of the service.`);
  if (!allMeans.includes(means)) throw new Error(`The means of channel "${name}" must be "email" or "sms".`);
  if (typeof send !== 'function') throw new Error(`The channel "${name}" must have a function "send".`);
  if (close !== undefined && typeof close !== 'function') {
    throw new Error(`The channel "${name}" has a "close" that is not a function.`);
  }
}

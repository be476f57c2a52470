// The channels of a service: real ones as far as the environment and extensions name them, else the development outbox.

import type { Environment } from '../config/environment.ts';
import {
  type Channel,
  createOutboxChannel,
  createSmsGateway,
  createSmtpChannel,
  type Means,
} from '../delivery/index.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Trace } from '../foundation/trace.ts';

export type Channels = Readonly<Record<Means, Channel>>;

/** No gateway at all: whatever is sent, is printed. */
export function outboxChannels(print: (text: string) => void): Channels {
  return { email: createOutboxChannel('email', print), sms: createOutboxChannel('sms', print) };
}

/** @param registered by extensions: they come before what the environment says. */
export function openChannels(
  { smtp, sms }: Pick<Environment, 'smtp' | 'sms'>,
  registered: Partial<Channels>,
  { clock, print }: { clock: Clock; print: (text: string) => void },
): Channels {
  return {
    ...outboxChannels(print),
    ...(smtp && { email: createSmtpChannel(smtp) }),
    ...(sms && { sms: createSmsGateway({ ...sms, clock }) }),
    ...registered,
  };
}

/** The same channels; each message that one is given is followed. */
export function traceChannels({ email, sms }: Channels, trace: Trace): Channels {
  return { email: traceChannel(email, trace), sms: traceChannel(sms, trace) };
}

function traceChannel(channel: Channel, trace: Trace): Channel {
  const { name, means } = channel;
  // An extension's may be of any class.
  const plain: Channel = {
    name,
    means,
    send: (message, options) => channel.send(message, options),
    close: () => channel.close?.(),
  };
  return trace(plain, { send: `send ${means} by ${name}` }, 'outgoing');
}
